// Starts a hub in the safe order (lock, checks, database, listen, state file) and stops it in reverse.
import { join } from 'node:path'
import type { Env, Target } from '#client/locate.ts'
import { type HubState, removeState, writeState } from '#client/state-file.ts'
import { holdNames, prepareTarget } from '#client/trusted-path.ts'
import { DemoError } from '#contract/demo.ts'
import type { Lang } from '#contract/errors.ts'
import { ConfigChanged } from '#contract/settings.ts'
import { type Clock, iso } from '#kernel/clock.ts'
import { ConfigFile } from '#kernel/config.ts'
import type { Database } from '#kernel/db/db.ts'
import { type Lock, takeLock } from '#kernel/db/lock.ts'
import { type ExportOptions, exportLines, importLines } from '#kernel/dump.ts'
import { StoredTime } from '#kernel/hub-time.ts'
import { Refused } from '#kernel/refused.ts'
import { type Ids, idsBy } from '#kernel/ids.ts'
import type { Log, OwnedLog } from '#kernel/log.ts'
import { Scope } from '#kernel/scope.ts'
import { HostTerminals } from '#kernel/terminals/host-terminals.ts'
import { applyToFile, previewFile, previewRegister, previewTakeOut } from '#registration/by-hand.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { RunnerOptions } from '#runner/runner.ts'
import type { Room } from '#transports/crowd.ts'
import { type Composed, compose, type ComposeOptions, type RunOptions } from './compose.ts'
import { composeOptions } from './compose-options.ts'
import { DemoProcess } from './demo-process.ts'
import { openDoors } from './doors.ts'
import { type EndedNow, endNow } from './end-now.ts'
import { isLoopback } from './listening.ts'
import { openDatabase } from './open-database.ts'
import { HUB } from './own-caller.ts'
import { OwnRegistration } from './own-registration.ts'
import { startOwnRunner } from './own-runner.ts'
import type { PromptEnv } from './prompt-source.ts'
import { dumpedTables, EXPORT_NOTE } from './schema.ts'
import type { TabOptions } from './tabs.ts'
import type { ThreadOptions } from './thread-keeper.ts'
import { LastUse, startClockWatch, startTending } from './tending-loop.ts'

export type HubOptions = {
  target: Target
  version: string
  clock: Clock
  log: OwnedLog
  lang: Lang
  background: boolean
  host: string
  port: number
  /** Names besides this machine's own under which the hub may be reached. */
  hosts: readonly string[]
  tls?: { cert: string; key: string }
  /** A background hub that was not used for so long ends on its own. */
  idleMs: number
  /** Where prompts come from and how long they are good. */
  env: PromptEnv
  /** Brings a Runner along: the program of the bridge, and what engines' environments are picked from. */
  runner?: { bridge: string } & Pick<RunnerOptions, 'source' | 'pace' | 'notice'>
  /** The program that engines start as their MCP server. */
  bridge: string
  /** What engines get of the environment is picked from this. */
  engineEnv: NodeJS.ProcessEnv
  /** The folder with the dashboard's files. */
  page?: string
  /** This hub is a demo. */
  demo?: boolean
  /** What a person types on a command line to call this program. Default: `toryo`. */
  program?: string
  /** Our own program, dist/hub.js, which `demo.start` starts a demo with. */
  demoProgram?: string
  /** For tests. */
  room?: Room
  tabs?: Pick<TabOptions, 'reached'>
  runs?: Pick<RunOptions, 'times' | 'reached' | 'patience'>
  thread?: Pick<ThreadOptions, 'reached' | 'radarMs'>
  /** Registers this hub in the engines' config files of the user that `env` names; never for a background hub. */
  register?: { env: Env; bridge: string }
}

export type RunningHub = {
  readonly url: string
  readonly token: string
  readonly hub: Composed
  /** How many pages are open. */
  readonly pages: () => number
  /** What became of the engines' config files. */
  readonly registered: readonly Outcome[]
  /** Resolves when the hub has stopped, for whatever reason. */
  readonly stopped: Promise<void>
  /** Ends what runs in terminals, unless they are to be kept for the next hub. */
  stop(keepTerminals?: boolean): Promise<void>
  /** The part that a stop waits for now. */
  stopping(): string | undefined
  /** Kills all that runs, at once, and takes the state file away. The process is to exit after it. */
  endNow(): Promise<EndedNow>
}

export class LockHeld extends Error {}
export class StartRefused extends Refused {}

export async function startHub(options: HubOptions): Promise<RunningHub> {
  const { target, log } = options
  refuseOpenPort(options)
  prepareTarget(target)
  const scope = new Scope((name, error) => log.error({ err: error, part: name }, 'could not be stopped cleanly'))
  try {
    return await startIn(scope, options)
  } catch (error) {
    await scope.dispose()
    throw error
  }
}

/** Each part is given to the scope as it starts, in the order whose reverse is safe to stop in. */
async function startIn(scope: Scope, options: HubOptions): Promise<RunningHub> {
  const { target, log } = options
  const stored = await openStored(scope, options)
  const { config, database, clock, ids } = stored
  const token = ids.secret('hub')
  const runnerToken = ids.secret('rnr')
  for (const secret of [token, runnerToken]) log.hide(secret)
  const startedAt = iso(clock.now())
  const lastUse = new LastUse(clock)
  const registration = new OwnRegistration()
  const terminals = await HostTerminals.start({
    folder: join(target.home, 'pty', target.hash.slice(0, 16)),
    release: options.version,
    log,
  })
  const ending = endingOf(scope)
  scope.add('connection to the terminals', () => terminals.dispose('leave'))
  let url = ''
  const facts = () => {
    const connections = doors.size + terminals.viewers
    const { background, demo = false, program = 'toryo' } = options
    return { url, startedAt, background, demo, program, connections }
  }
  const stop = (keepTerminals: boolean) => void ending.stop(keepTerminals)
  const unregister = () => registration.release()
  const { bridge } = options
  const place = { home: target.home, env: options.register?.env ?? options.engineEnv, bridge }
  // A demo is gone in a minute: it must leave nothing in other programs' files.
  const registrations = options.demo ? async () => [] : () => previewRegister(place, bridge)
  const settings: ComposeOptions['settings'] = {
    config,
    removals: () => (options.demo ? [] : previewTakeOut(place)),
    registration: {
      preview: async (file, action) => (options.demo ? undefined : previewFile(place, bridge, file, action)),
      apply: (file, action) => applyToFile(place, bridge, file, action),
    },
  }
  const startDemo = demoBeside(scope, options)
  const live = { ...stored, token, runnerToken, terminals, facts, stop, unregister, registrations, settings, startDemo }
  const hub = compose(composeOptions(options, live))
  config.watch(paths => announceConfig(database, hub, log, paths))
  await startStored(scope, hub)
  const { index, ...data } = dataOf(database, hub, log)
  index()

  const doors = openDoors(scope, { ...data, options, hub, clock, token, used: () => lastUse.now() })
  // While their viewers are still connected, so that they hear of it.
  scope.add('terminals', () => terminals.dispose(ending.farewell))
  scope.add('tabs', () => hub.keeper.dispose(ending.farewell))
  await hub.keeper.start()
  const reached = await doors.listen()
  url = reached.url
  scope.add(
    'updates',
    hub.events.subscribe(event => doors.heard(event)),
  )
  hub.processes.start()
  scope.add('runs', () => hub.processes.dispose())
  hub.thread.start()
  scope.add('checks', () => hub.thread.dispose())
  startTending(scope, options, { hub, doors, terminals, lastUse, stop: () => stop(false) })
  startClockWatch(scope, clock, log)

  const { certificate } = doors
  const forgetState = publish(scope, target, { ...reached, token, version: options.version, startedAt, certificate })
  log.info({ url, db: database.label, pid: process.pid }, 'the hub listens')
  const runner = startOwnRunner(scope, options, { url, token: runnerToken, certificate, config })
  // Only now: an entry for a hub that could not listen would lead nowhere.
  if (options.register && !options.background)
    await registration.make(scope, log, {
      ...options.register,
      ...{ home: target.home, db: target.shownDb, url, token, certificate },
    })
  const killAll = () => {
    forgetState()
    return endNow([
      ...(runner?.records() ?? []),
      ...hub.processes.records(),
      ...hub.thread.records(),
      ...terminals.records(),
    ])
  }
  const { stopped } = ending
  const stopping = () => scope.stopping
  const registered = registration.outcomes
  const pages = () => doors.pages
  return { url, token, hub, pages, registered, stopped, stop: ending.stop, stopping, endNow: killAll }
}

/** A person edited the file. Pages that show settings reload them; nothing else depends on it. */
function announceConfig(database: Database, { events }: Composed, log: Log, paths: string[]): void {
  const warn = (error: unknown) => log.warn({ err: error }, 'a change of the configuration was not announced')
  database.tx(tx => events.publish(tx, ConfigChanged, { paths }, HUB)).catch(warn)
}

/** Its process ends with this hub. */
function demoBeside(scope: Scope, { demoProgram: program, engineEnv }: HubOptions): (lang: Lang) => Promise<string> {
  if (program === undefined) return () => Promise.reject(DemoError.DEMO_NOT_STARTED({ reason: 'it is not installed' }))
  const demo = new DemoProcess({ program, env: engineEnv })
  scope.add('demo', () => demo.dispose())
  return lang => demo.link(lang)
}

function refuseOpenPort({ host, tls }: HubOptions): void {
  if (isLoopback(host) || tls) return
  throw new StartRefused({
    en: `To listen on ${host}, which other machines can reach, give --tls-cert and --tls-key; or leave --host out to stay on this machine.`,
    ja: `${host} は他のマシンから届くアドレスです。--tls-cert と --tls-key を指定するか、--host を外してこのマシンだけで待ち受けてください。`,
  })
}

type Stored = { config: ConfigFile; database: Database; clock: StoredTime; ids: Ids }

/** What lasts: one hub at a time has it. */
async function openStored(scope: Scope, { target, log, clock: system }: HubOptions): Promise<Stored> {
  holdNames(target, [target.lockPath])
  const lock = lockTarget(target)
  scope.add('lock', () => lock.release())
  const config = new ConfigFile(join(target.home, 'config.json'), log)
  scope.add('configuration', () => config.dispose())
  holdNames(target)
  const database = await openDatabase(target, () => system.now())
  scope.add('database', () => database.close())
  const clock = await StoredTime.open(database, system)
  return { config, database, clock, ids: idsBy(() => clock.steady()) }
}

function lockTarget(target: Target): Lock {
  const lock = takeLock(target.lockPath)
  if (!lock) throw new LockHeld(`another hub owns ${target.shownDb}`)
  return lock
}

/** Ready before it can be called: a hub may be stopped while it is still starting. */
function endingOf(scope: Scope) {
  let ended = () => {}
  const stopped = new Promise<void>(resolve => {
    ended = resolve
  })
  let stopping: Promise<void> | undefined
  const ending = {
    /** What becomes of terminals. A start that fails leaves them as it found them. */
    farewell: 'leave' as 'leave' | 'end',
    stopped,
    stop: (keepTerminals = false): Promise<void> => {
      ending.farewell = keepTerminals ? 'leave' : 'end'
      stopping ??= scope.dispose().then(ended)
      return stopping
    },
  }
  return ending
}

async function startStored(scope: Scope, hub: Composed): Promise<void> {
  await hub.events.start()
  scope.add('events', () => hub.events.dispose())
  scope.add('memory', () => hub.dispose())
  await hub.recover()
}

/** Data as a whole: out, in, and indexed after that. */
function dataOf(database: Database, hub: Composed, log: OwnedLog) {
  const index = (fromScratch = false) =>
    void hub.index(fromScratch).catch(error => log.error({ err: error }, "memory's index could not be rebuilt"))
  return {
    index,
    exportLines: (what: ExportOptions) => exportLines(database, dumpedTables, { ...what, note: EXPORT_NOTE }),
    importLines: async (lines: readonly string[]) => {
      const imported = await importLines(database, dumpedTables, lines, tx => hub.imported(tx))
      index(true)
      return imported
    },
  }
}

type Published = Pick<HubState, 'url' | 'token' | 'version' | 'startedAt'> & {
  socket: string | undefined
  certificate: string | undefined
}

/** Writes the state file, by which clients find the hub. Answers what takes it away. */
function publish(scope: Scope, target: Target, { socket, certificate, ...reached }: Published): () => void {
  const state = {
    pid: process.pid,
    ...reached,
    ...(socket !== undefined && { socket }),
    ...(certificate !== undefined && { certificate }),
  }
  writeState(target, state)
  const forget = () => removeState(target, state)
  scope.add('state file', forget)
  return forget
}
