// Starts a hub in the safe order (lock, checks, database, listen, state file) and stops it in reverse.
import { X509Certificate } from 'node:crypto'
import { readFileSync, statfsSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { removeState, writeState } from '#client/state-file.ts'
import { type Env, hubKey, instanceLog, type Target } from '#client/locate.ts'
import { holdNames, prepareTarget } from '#client/trusted-path.ts'
import type { Lang } from '#contract/errors.ts'
import { TokenRevoked } from '#contract/identity.ts'
import { type Clock, iso } from '#kernel/clock.ts'
import { ConfigFile } from '#kernel/config.ts'
import { openPostgres } from '#kernel/db/postgres.ts'
import { DatabaseRefused, openSqlite } from '#kernel/db/sqlite.ts'
import { type Lock, takeLock } from '#kernel/db/lock.ts'
import { type ExportOptions, exportLines, importLines } from '#kernel/dump.ts'
import { BEAT_MS, StoredTime } from '#kernel/hub-time.ts'
import type { McpEntry } from '#engines/engine.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { OwnedLog } from '#kernel/log.ts'
import { Scope } from '#kernel/scope.ts'
import { HostTerminals } from '#kernel/terminals/host-terminals.ts'
import { type HubRegistration, registerHub } from '#registration/hub-registration.ts'
import type { Outcome } from '#registration/outcome.ts'
import { Runner, type RunnerOptions } from '#runner/runner.ts'
import { Callers } from '#transports/callers.ts'
import { Guard } from '#transports/guard.ts'
import { createHttp } from '#transports/http.ts'
import { Streamable } from '#transports/mcp/streamable.ts'
import { Sockets } from '#transports/ws.ts'
import { type Composed, compose, type RunOptions } from './compose.ts'
import { type EndedNow, endNow } from './end-now.ts'
import { listenLocally } from './local-socket.ts'
import { promptSource, type PromptEnv } from './prompt-source.ts'
import { ownRunnerName } from './runner-name.ts'
import type { TabOptions } from './tabs.ts'
import { WaitingNotices } from './waiting-notices.ts'
import { dumpedTables, migrations } from './schema.ts'

export type HubOptions = {
  target: Target
  version: string
  clock: Clock
  ids: Ids
  log: OwnedLog
  lang: Lang
  background: boolean
  host: string
  port: number
  /** Names besides this machine's own under which the hub may be reached. */
  hosts: readonly string[]
  tls?: { cert: string; key: string }
  /** A background hub that nobody used for so long ends by itself. */
  idleMs: number
  /** Where prompts come from and how long they are good. */
  env: PromptEnv
  /** Brings a Runner along: the program of the bridge, and what engines' environments are picked from. */
  runner?: { bridge: string } & Pick<RunnerOptions, 'source' | 'pace' | 'notice'>
  /** The program that engines start as their MCP server. */
  bridge: string
  /** What engines get of the environment is picked from this. */
  engineEnv: NodeJS.ProcessEnv
  /** For tests. */
  connections?: number
  tabs?: Pick<TabOptions, 'reached'>
  runs?: Pick<RunOptions, 'times' | 'reached' | 'patience'>
  /** Whether the engines are told of this hub, in the config files of the user that `env` names; never of a background hub. */
  register?: { env: Env; bridge: string }
}

export type RunningHub = {
  readonly url: string
  readonly token: string
  readonly hub: Composed
  /** What became of the engines' config files. */
  readonly registered: readonly Outcome[]
  /** Resolves when the hub has stopped, for whatever reason. */
  readonly stopped: Promise<void>
  /** Ends what runs in terminals, unless they are to be kept for the next hub. */
  stop(keepTerminals?: boolean): Promise<void>
  /** Kills all that runs, at once, and takes the state file away. The process is to exit after it. */
  endNow(): Promise<EndedNow>
}

export class LockHeld extends Error {}
export class PortTaken extends Error {}
export class StartRefused extends Error {}

const CLOCK_MS = 1000
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997])

export async function startHub(options: HubOptions): Promise<RunningHub> {
  const { target, log, ids } = options
  if (!isLoopback(options.host) && !options.tls)
    throw new StartRefused(
      `To listen on ${options.host}, which other machines can reach, give --tls-cert and --tls-key; or leave --host out to stay on this machine.`,
    )
  prepareTarget(target)
  const scope = new Scope((name, error) => log.error({ err: error, part: name }, 'could not be stopped cleanly'))
  try {
    holdNames(target, [target.lockPath])
    const lock = lockTarget(target)
    scope.add('lock', () => lock.release())
    const config = new ConfigFile(join(target.home, 'config.json'), log)
    config.watch()
    scope.add('configuration', () => config.dispose())
    holdNames(target)
    const database = await openDatabase(target, () => options.clock.now())
    scope.add('database', () => database.close())
    const clock = await StoredTime.open(database, options.clock)

    const token = ids.secret('hub')
    const runnerToken = ids.secret('rnr')
    for (const secret of [token, runnerToken]) log.hide(secret)
    const startedAt = iso(clock.now())
    let ended = () => {}
    const stopped = new Promise<void>(resolve => {
      ended = resolve
    })
    let url = ''
    let registration: HubRegistration | undefined
    let usedAt = clock.monotonic()
    const used = () => {
      usedAt = clock.monotonic()
    }
    const terminals = await HostTerminals.start({
      folder: join(target.home, 'pty', target.hash.slice(0, 16)),
      release: options.version,
      log,
    })
    // A start that fails leaves them as it found them.
    let farewell: 'leave' | 'end' = 'leave'
    // Ready before anybody can call it: a hub may be stopped while it is still starting.
    let stopping: Promise<void> | undefined
    const stop = (keepTerminals = false): Promise<void> => {
      farewell = keepTerminals ? 'leave' : 'end'
      stopping ??= scope.dispose().then(ended)
      return stopping
    }
    scope.add('connection to the terminals', () => terminals.dispose('leave'))
    const hub = compose({
      database,
      clock,
      ids,
      log,
      lang: options.lang,
      version: options.version,
      token,
      runnerToken,
      runnerName: ownRunnerName(target),
      key: hubKey(target),
      config: () => config.current,
      places: { worktrees: join(target.home, 'worktrees'), git: join(target.home, 'git', target.hash) },
      env: process.env,
      tabs: {
        hub: placeOf(target),
        home: target.home,
        db: target.shownDb,
        env: options.engineEnv,
        bridge: options.bridge,
        ...options.tabs,
      },
      promptSource: () => promptSource(options.env, config.current.prompts),
      runs: {
        place: placeOf(target),
        env: options.engineEnv,
        folder: join(target.home, 'runs', target.hash.slice(0, 16)),
        logFolder: join(target.logDirectory, 'runs'),
        instanceLog: instance => instanceLog(target.home, hubKey(target), instance),
        mcp: ticketFile => mcpEntry(options.bridge, target, ticketFile),
        ...options.runs,
      },
      facts: () => {
        const connections = sockets.size + streamable.size + terminals.viewers
        return { url, startedAt, background: options.background, connections }
      },
      terminals,
      stop: keepTerminals => void stop(keepTerminals),
      unregister: async () => (await registration?.release()) ?? [],
    })
    await hub.events.start()
    scope.add('events', () => hub.events.dispose())
    scope.add('memory', () => hub.dispose())
    await hub.recover()
    const index = (anew = false) =>
      void hub.index(anew).catch(error => log.error({ err: error }, "memory's index could not be rebuilt"))
    index()

    const guard = new Guard({
      hosts: isEveryAddress(options.host) ? options.hosts : [inUrl(options.host), ...options.hosts],
      port: () => port,
      secure: options.tls !== undefined,
    })
    const streamable = new Streamable(hub, clock)
    const callers = new Callers(hub.identities)
    const sockets = new Sockets(hub, guard, callers)
    const tls = options.tls && { cert: readFileSync(options.tls.cert), key: readFileSync(options.tls.key) }
    const certificate = tls && new X509Certificate(tls.cert).fingerprint256
    const surface = {
      ...(options.connections !== undefined && { connections: options.connections }),
      hub,
      guard,
      token,
      streamable,
      callers,
      exportLines: (what: ExportOptions) => exportLines(database, dumpedTables, what),
      importLines: async (lines: readonly string[]) => {
        const imported = await importLines(database, dumpedTables, lines, tx => hub.imported(tx))
        index(true)
        return imported
      },
    }
    const server = createHttp({ ...surface, ...(tls && { tls }) })
    const local = createHttp(surface)
    for (const door of [server, local]) {
      door.on('request', used)
      door.on('upgrade', used)
      sockets.attach(door)
      const open = openSockets(door)
      scope.add('server', () => closeServer(door, open))
    }
    scope.add('sockets', () => sockets.dispose())
    scope.add('sessions', () => streamable.dispose())
    // While their viewers are still there: they are told.
    scope.add('terminals', () => terminals.dispose(farewell))
    scope.add('tabs', () => hub.keeper.dispose(farewell))
    await hub.keeper.start()
    const port = await listen(server, options.host, options.port)
    const socket = await listenLocally(local, target, log)
    url = `${tls ? 'https' : 'http'}://${reachedAt(options.host)}:${port}`

    const forget = hub.events.subscribe(event => {
      for (const uri of event.touches) {
        sockets.touched(uri)
        streamable.touched(uri)
      }
      if (event.type === TokenRevoked.type) callers.live.revoked((event.payload as { name: string }).name)
    })
    scope.add('updates', forget)
    hub.processes.start()
    scope.add('runs', () => hub.processes.dispose())
    const waiting = options.runner?.notice && new WaitingNotices(hub, options.runner.notice)
    const tending = setInterval(
      () => {
        void waiting?.look().catch(error => log.warn({ err: error }, 'starts that wait could not be looked for'))
        if (sockets.size + streamable.size + terminals.running + hub.keeper.size + hub.processes.size > 0) used()
        if (options.background && clock.monotonic() - usedAt > options.idleMs) void stop()
        else
          hub
            .tend([...sockets.secrets(), ...streamable.secrets()])
            .catch(error => log.warn({ err: error }, 'tending failed; it is tried again'))
      },
      Math.min(BEAT_MS, options.idleMs),
    )
    scope.add('tending', () => clearInterval(tending))
    const watching = setInterval(
      () =>
        void clock.watch().then(
          jump => {
            if (jump !== undefined) log.info({ jump }, 'the clock was set, or this hub was not running for a while')
          },
          error => log.warn({ err: error }, "the hub's time could not be stored; it is tried again"),
        ),
      CLOCK_MS,
    )
    scope.add('clock', () => clearInterval(watching))

    const state = {
      pid: process.pid,
      url,
      token,
      version: options.version,
      startedAt,
      ...(socket !== undefined && { socket }),
      ...(certificate !== undefined && { certificate }),
    }
    writeState(target, state)
    scope.add('state file', () => removeState(target, state))
    log.info({ url, db: database.label, pid: process.pid }, 'the hub listens')
    let runner: Runner | undefined
    if (options.runner) {
      const { bridge, ...rest } = options.runner
      const started = new Runner({
        ...rest,
        url,
        token: runnerToken,
        ...(certificate !== undefined && { certificate }),
        version: options.version,
        home: target.home,
        // By the database: a bridge then finds the next hub, wherever that listens.
        bridge: { program: bridge, args: ['--db', target.shownDb], env: { TORYO_HOME: target.home } },
        config: () => config.current,
        lang: options.lang,
        log,
      })
      scope.add('runner', () => started.stop())
      started.start()
      runner = started
    }
    if (options.register && !options.background) {
      // Only now: an entry for a hub that could not listen would lead nowhere.
      const registering = registerHub({ ...options.register, home: target.home, url, token, db: target.shownDb })
      // Before it is done: a hub that is stopped meanwhile waits for it and undoes it.
      scope.add('registration', async () => logOutcomes(log, await (await registering).release()))
      registration = await registering
      logOutcomes(log, registration.outcomes)
    }
    const killAll = () => {
      removeState(target, state)
      return endNow([...(runner?.records() ?? []), ...hub.processes.records(), ...terminals.records()])
    }
    return { url, token, hub, registered: registration?.outcomes ?? [], stopped, stop, endNow: killAll }
  } catch (error) {
    await scope.dispose()
    throw error
  }
}

/** One hub at a time holds a target's lock: whatever it started is its successor's to settle. */
function placeOf({ lockPath }: Target): string {
  return digest(`${hostname()} ${lockPath}`)
}

/** The bridge shows the ticket, so that the hub knows which run it speaks for. */
function mcpEntry(bridge: string, target: Target, ticketFile: string): McpEntry {
  return {
    command: process.execPath,
    args: [bridge, '--db', target.shownDb],
    env: { TORYO_HOME: target.home, TORYO_TICKET_FILE: ticketFile, TORYO_RUN_ID: basename(dirname(ticketFile)) },
  }
}

function logOutcomes(log: OwnedLog, outcomes: readonly Outcome[]): void {
  for (const { engine, file, state, warning, text } of outcomes)
    log[warning ? 'warn' : 'info']({ engine, file, state }, `registration: ${text.en}`)
}

function lockTarget(target: Target): Lock {
  const lock = takeLock(target.lockPath)
  if (!lock) throw new LockHeld(`another hub owns ${target.shownDb}`)
  return lock
}

function openDatabase(target: Target, now: () => number) {
  if (target.kind === 'postgres') return openPostgres(target.db, migrations, now)
  if (NETWORK_FILE_SYSTEMS.has(statfsSync(target.directory).type))
    throw new DatabaseRefused(
      `${target.directory} is on a network file system, where SQLite can lose data; choose a local folder with --db, or use PostgreSQL.`,
    )
  return openSqlite(target.db, migrations, now)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function isEveryAddress(host: string): boolean {
  return host === '' || host === '0.0.0.0' || host === '::'
}

/** Where clients on this machine find a hub that listens there. */
function reachedAt(host: string): string {
  return isEveryAddress(host) || host === 'localhost' ? '127.0.0.1' : inUrl(host)
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase()
}

function listen(server: ReturnType<typeof createHttp>, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(`port ${port} is taken`) : error)
    })
    // The name may mean ::1 on some machines, the address does not.
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}

/** Those that became WebSockets too, which the server itself no longer counts. */
function openSockets(server: ReturnType<typeof createHttp>): Set<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  return open
}

/**
 * Calls in flight get a moment to be answered; after that nobody's socket may keep the hub, and with it the lock. The server's
 * own word is not waited for: it never comes once a connection was handed to a process that has ended since.
 */
async function closeServer(server: ReturnType<typeof createHttp>, open: ReadonlySet<Socket>): Promise<void> {
  server.close()
  server.closeIdleConnections()
  const closings = [...open].map(socket => new Promise(resolve => socket.once('close', resolve)))
  const patience = setTimeout(() => {
    for (const socket of open) socket.destroy()
  }, 1000)
  await Promise.all(closings)
  clearTimeout(patience)
}
