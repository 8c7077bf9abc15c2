// The hub as a program: `toryo up` in the foreground, or in the background for a client that found none.
import { readFileSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readState } from '#client/state-file.ts'
import { otherDatabase, rememberDatabase } from '#client/last-database.ts'
import { hubLog, locate, type Target } from '#client/locate.ts'
import { portHolder } from '#client/port-holder.ts'
import { checkWritable, prepareTarget } from '#client/trusted-path.ts'
import { HubError, type Lang, type Text } from '#contract/errors.ts'
import { langOf, say } from '#contract/lang.ts'
import { USUAL_PORT } from '#contract/limits.ts'
import { systemClock } from '#kernel/clock.ts'
import { ConfigError } from '#kernel/config.ts'
import { DatabaseRefused } from '#kernel/db/sqlite.ts'
import { openLog, type OwnedLog } from '#kernel/log.ts'
import { openBrowser } from '#system/open-browser.ts'
import { type Notice, noticeText } from '#runner/notice.ts'
import { Demo } from './demo.ts'
import { serveOwner } from './demo-process.ts'
import { type HubOptions, LockHeld, type RunningHub, StartRefused, startHub } from './lifecycle.ts'
import { PortTaken } from './listening.ts'
import { postgresTrouble } from './postgres-trouble.ts'
import { sayIfSlow } from './slow-stop.ts'
import { takeOver } from './take-over.ts'

const IDLE_MS = 10 * 60 * 1000
/** For the one who started it: somebody else owns this database, look for its state file. */
const EXIT_LOCKED = 75
const EXIT_CRASHED = 70
/** The most that a hub which is to end at once still waits for. */
const HURRY_MS = 3000
/** Two signals closer together than this are one. */
const ECHO_MS = 300
/** What concerns the people at the hub; that it cannot reach itself is for the log. */
const NEWS = new Set<Notice['kind']>(['started', 'ended', 'not-trusted', 'waits'])
const REGISTERED = new Set(['added', 'present', 'repaired', 'updated'])

/** The person at the terminal that the hub was started from. */
export type Person = {
  /** Sees agents come and go in another way than by our lines. */
  readonly watches: boolean
  listening(): void
}

export async function main(argv: string[], person?: Person): Promise<number> {
  // Whatever the hub writes is for its owner alone.
  process.umask(0o077)
  // Notices of libraries to their developers (pg: passwords of ~/.pgpass) are not for people at a hub.
  process.noDeprecation = true
  const args = readArgs(argv)
  const lang = langOf(process.env)
  if (typeof args === 'string') return fail(args, 2)
  // Before anything is looked for in the user's own home.
  const demo = args.demo ? Demo.enter() : undefined
  const viewer = args.attached ? attachedViewer() : person
  let target: Target
  try {
    target = locate(demo?.place.db ?? args.db)
    await demo?.prepare(() => settleLeft(args, target, lang))
    // Before the log is opened: it must not be written where others could have laid a trap.
    prepareTarget(target)
    checkWritable(target)
  } catch (error) {
    return fail(error instanceof HubError ? error.text[lang] : (error as Error).message, 1)
  }
  // A terminal or pipe that went away takes nothing with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const log = openLog({
    level: process.env['LOG_LEVEL'],
    file: hubLog(target),
    stderr: process.env['LOG_LEVEL'] !== undefined,
  })
  crashLoudly(log)
  let running: RunningHub | undefined
  const asked = stopSignals()
  void asked.again.then(async signal => {
    const sentence = await endAtOnce(running)
    if (!args.background && !args.json) process.stderr.write(`${say(lang, sentence)}\n`)
    log.warn({ signal }, sentence.en)
    await Promise.race([log.dispose(), sleep(HURRY_MS)])
    demo?.leave()
    process.exit(128 + constants.signals[signal])
  })
  try {
    const other = demo ? undefined : otherDatabase(target)
    const hub = await start(args, target, log, lang, viewer?.watches === true)
    running = hub
    if (other) log.warn(other.en)
    if (other && !args.background && !args.json) process.stderr.write(`toryo: ${say(lang, other)}\n`)
    if (!demo) rememberDatabase(target)
    void Promise.race([asked.first, viewerGone(args)]).then(() => {
      demo?.stop()
      void hub.stop()
      if (!args.background && !args.json) sayIfSlow(hub, text => process.stderr.write(`${say(lang, text)}\n`))
    })
    await demo?.begin(hub, log)
    if (args.owned)
      serveOwner(
        () => loginLink(hub),
        () => void hub.stop(),
      )
    else if (!args.background) await announce(hub, target, args, lang, demo)
    viewer?.listening()
    await hub.stopped
    if (!args.background && !args.json) process.stdout.write(say(lang, demo ? DELETED : STOPPED))
    return 0
  } catch (error) {
    await running?.stop()
    return explain(error, target, args.background, lang)
  } finally {
    await log.dispose()
    demo?.leave()
    // An open channel would keep the process.
    if ((args.attached || args.owned) && process.connected) process.disconnect()
  }
}

const STOPPED: Text = { en: 'Stopped.\n', ja: '停止しました。\n' }
const DELETED: Text = { en: 'The demo has ended and is deleted.\n', ja: 'デモを終了し、すべて削除しました。\n' }

/** A demo that was killed: a hub over its database ends what it left, as every next hub does. Its Runner finds no engine to start. */
async function settleLeft(args: Args, target: Target, lang: Lang): Promise<void> {
  const log = openLog({ level: undefined, file: hubLog(target) })
  try {
    const hub = await start({ ...args, port: 0 }, target, log, lang, true)
    await hub.stop()
  } finally {
    await log.dispose()
  }
}

type Args = {
  /** In a scratch home, with scripted agents; `owned`: by the hub at the other end of our channel. */
  demo: boolean
  owned: boolean
  db: string | undefined
  background: boolean
  /** Started by a `toryo up` that shows it, and ends with that unless it is told to stay. */
  attached: boolean
  json: boolean
  host: string
  /** Asked for by name; without it another is taken when the usual one is in use. */
  port: number | undefined
  hosts: string[]
  register: boolean
  tls: { cert: string; key: string } | undefined
  idleMs: number
  runner: boolean
  /** The dashboard, in the person's browser. */
  open: boolean
}

function readArgs(argv: string[]): Args | string {
  try {
    const { values } = parseArgs({
      args: argv[0] === 'up' ? argv.slice(1) : argv,
      options: {
        db: { type: 'string' },
        background: { type: 'boolean' },
        attached: { type: 'boolean' },
        json: { type: 'boolean' },
        host: { type: 'string' },
        port: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'idle-ms': { type: 'string' },
        'no-runner': { type: 'boolean' },
        'no-register': { type: 'boolean' },
        'no-open': { type: 'boolean' },
        demo: { type: 'boolean' },
        owned: { type: 'boolean' },
      },
    })
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
      return `--port must be a number from 0 to 65535, not ${values.port}`
    const cert = values['tls-cert']
    const key = values['tls-key']
    if ((cert === undefined) !== (key === undefined)) return '--tls-cert and --tls-key go together'
    const idleMs = Number(values['idle-ms'] ?? IDLE_MS)
    if (!(idleMs > 0 && idleMs < 2 ** 31)) return `--idle-ms must be a number of milliseconds, not ${values['idle-ms']}`
    return {
      db: values.db,
      background: values.background ?? false,
      attached: values.attached ?? false,
      json: values.json ?? false,
      host: values.host ?? '127.0.0.1',
      port,
      hosts: values['allow-host'] ?? [],
      demo: values.demo ?? false,
      owned: values.owned ?? false,
      register: !values['no-register'] && !values.demo,
      tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
      idleMs,
      open: !values['no-open'],
      runner: !(values['no-runner'] ?? false) && !(values.background ?? false),
    }
  } catch (error) {
    return (error as Error).message
  }
}

async function start(args: Args, target: Target, log: OwnedLog, lang: Lang, isWatched: boolean): Promise<RunningHub> {
  const options: HubOptions = {
    target,
    version: version(),
    clock: systemClock,
    log,
    lang,
    background: args.background,
    host: args.host,
    port: args.port ?? (args.background || args.demo ? 0 : USUAL_PORT),
    demo: args.demo,
    // Its repository is small: a look costs nothing.
    ...(args.demo && { thread: { radarMs: 0 } }),
    demoProgram: fileURLToPath(new URL('./hub.js', import.meta.url)),
    hosts: args.hosts,
    ...(args.tls && { tls: args.tls }),
    idleMs: args.idleMs,
    env: process.env,
    bridge: bridgeProgram(),
    page: fileURLToPath(new URL('./web/', import.meta.url)),
    engineEnv: process.env,
    ...(args.runner && {
      runner: { bridge: bridgeProgram(), source: process.env, notice: tell(args, lang, isWatched) },
    }),
    ...(args.register && { register: { env: process.env, bridge: bridgeProgram() } }),
  }
  try {
    return await startHub(options)
  } catch (error) {
    if (error instanceof LockHeld && !args.background && (await takeOver(target)))
      return start(args, target, log, lang, isWatched)
    if (!(error instanceof PortTaken) || args.port !== undefined || args.background) throw error
    const holder = portHolder(USUAL_PORT)
    const notice: Text = {
      en: `Port ${USUAL_PORT} is taken${holder ? ` by ${holder}` : ''}; using another.\n`,
      ja: `ポート ${USUAL_PORT} は${holder ? ` ${holder} が` : ''}使用中のため、別のポートを使います。\n`,
    }
    process.stderr.write(say(lang, notice))
    return startHub({ ...options, port: 0 })
  }
}

/** Whoever looks at the hub's terminal sees agents come and go, and why one does not start. */
function tell(args: Args, lang: Lang, isWatched: boolean): (notice: Notice) => void {
  return notice => {
    if (isWatched && (notice.kind === 'started' || notice.kind === 'ended')) return
    if (NEWS.has(notice.kind) && !args.json) process.stderr.write(`${say(lang, noticeText(notice))}\n`)
  }
}

async function announce(
  running: RunningHub,
  target: Target,
  args: Args,
  lang: Lang,
  demo: Demo | undefined,
): Promise<void> {
  for (const { warning, text } of running.registered) if (warning) process.stderr.write(`toryo: ${say(lang, text)}\n`)
  if (args.json)
    return void process.stdout.write(`${JSON.stringify({ url: running.url, pid: process.pid, db: target.shownDb })}\n`)
  const text: Text = demo
    ? demoText(running, target)
    : {
        en: `Toryo ${version()} listens on ${running.url}\n  database  ${target.shownDb}\n  agents    toryo mcp\n  stop      Ctrl-C\n`,
        ja: `Toryo ${version()} が ${running.url} で待ち受けています\n  データベース  ${target.shownDb}\n  エージェント  toryo mcp\n  停止          Ctrl-C\n`,
      }
  process.stdout.write(say(lang, text))
  const engines = running.registered.filter(({ state }) => REGISTERED.has(state)).map(({ engine }) => engine)
  const list = [...new Set(engines)].join(', ')
  if (list !== '') process.stdout.write(say(lang, { en: `  engines   ${list}\n`, ja: `  登録先        ${list}\n` }))
  await showPage(running, target, args, lang, demo)
}

function demoText({ url }: RunningHub, { home }: Target): Text {
  return {
    en: `Toryo ${version()} demo on ${url}: scripted agents, no model, nothing leaves this machine\n  folder    ${home} (deleted at the end)\n  end       Ctrl-C\n`,
    ja: `Toryo ${version()} のデモ (${url})。スクリプトで動くエージェントです。モデルは使わず、データはこのマシンの外に出ません\n  フォルダー    ${home} (終了時に削除)\n  終了          Ctrl-C\n`,
  }
}

async function loginLink({ url, hub }: RunningHub): Promise<string> {
  return `${url}/#login=${await hub.loginToken()}`
}

/** The link is for the person at this terminal. What is written into a file or a pipe may be read by others, and later. */
async function showPage(
  running: RunningHub,
  target: Target,
  args: Args,
  lang: Lang,
  demo: Demo | undefined,
): Promise<void> {
  const command = demo ? `toryo open --db ${target.shownDb}` : 'toryo open'
  if (!process.stdout.isTTY && !args.attached)
    return void process.stdout.write(say(lang, { en: `  dashboard ${command}\n`, ja: `  画面          ${command}\n` }))
  const url = await loginLink(running)
  const text: Text = {
    en: `\n  dashboard ${url}\n            (works once, within ten minutes; \`${command}\` makes another)\n`,
    ja: `\n  画面          ${url}\n                (10 分以内に一度だけ有効。次からは \`${command}\`)\n`,
  }
  process.stdout.write(say(lang, text))
  if (args.open) await openBrowser(url, join(target.home, 'open'), demo?.asked ?? process.env)
}

function attachedViewer(): Person {
  return { watches: true, listening: () => void process.send?.('listening') }
}

/** When the `toryo up` that shows us is gone, unless it said that we stay. */
function viewerGone({ attached }: Args): Promise<void> {
  if (!attached) return new Promise(() => {})
  return new Promise(resolve => {
    let stays = false
    process.on('message', message => {
      if (message !== 'leave') return
      stays = true
      process.send?.('left')
    })
    process.on('disconnect', () => {
      if (!stays) resolve()
    })
    if (!process.connected) resolve()
  })
}

function explain(error: unknown, target: Target, background: boolean, lang: Lang): number {
  if (error instanceof LockHeld) {
    if (background) return EXIT_LOCKED
    const state = readState(target)
    const where = state ? ` (pid ${state.pid}, ${state.url})` : ''
    return fail(
      say(lang, {
        en: `A hub for ${target.shownDb} is already running${where}. Stop it with \`toryo stop\`, or use another database with --db.`,
        ja: `${target.shownDb} のハブは既に動いています${where}。\`toryo stop\` で停止するか、--db で別のデータベースを指定してください。`,
      }),
      1,
    )
  }
  if (error instanceof PortTaken) {
    const holder = portHolder(Number(/\d+/.exec(error.message)?.[0]))
    return fail(
      say(lang, {
        en: `${error.message}${holder ? ` by ${holder}` : ''}; choose another with --port.`,
        ja: `${error.message}${holder ? ` (${holder})` : ''}。--port で別のポートを指定してください。`,
      }),
      1,
    )
  }
  if (error instanceof DatabaseRefused || error instanceof ConfigError || error instanceof StartRefused)
    return fail(error.message, 1)
  const trouble = postgresTrouble(error, target.shownDb)
  if (trouble) return fail(say(lang, trouble), 1)
  return fail(`the hub could not start: ${reasonOf(error)}`, 1)
}

/** A name that leads to several addresses fails once for each, and the sum of these errors has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return (error as Error).message || String(error)
}

function fail(message: string, code: number): number {
  process.stderr.write(`toryo: ${message}\n`)
  return code
}

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/**
 * `first` is heard from the first moment: a hub that is stopped while it starts must still take its state file away. `again` is a
 * person's impatience: a signal that comes right behind the first was passed on by a shell, and a terminal that closes hangs up.
 */
function stopSignals(): { first: Promise<void>; again: Promise<StopSignal> } {
  let heardAt: number | undefined
  let stop = () => {}
  let hurry: (signal: StopSignal) => void = () => {}
  const first = new Promise<void>(resolve => (stop = resolve))
  const again = new Promise<StopSignal>(resolve => (hurry = resolve))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stop()
      heardAt ??= performance.now()
      if (signal !== 'SIGHUP' && performance.now() - heardAt > ECHO_MS) hurry(signal)
    })
  return { first, again }
}

/** What is ended so has no recorded end; the next hub of this database finds it by its rows. */
async function endAtOnce(running: RunningHub | undefined): Promise<Text> {
  const done = running && (await Promise.race([running.endNow(), sleep(HURRY_MS)]))
  const { ended = 0, left = [] } = done ?? {}
  const rest = left.length > 0 || (running && !done)
  const pids = left.length > 0 ? ` (${left.join(', ')})` : ''
  if (rest)
    return {
      en: `Ended at once. Some processes may still be running${pids}; the next \`toryo up\` finds and ends them.`,
      ja: `ただちに終了しました。まだ動いているプロセスがあるかもしれません${pids}。次の \`toryo up\` が見つけて終了させます。`,
    }
  return {
    en: `Ended at once; ${ended} ${ended === 1 ? 'process was' : 'processes were'} killed. The next \`toryo up\` records how their work ended.`,
    ja: `ただちに終了しました (強制終了したプロセス: ${ended})。作業の結果は次の \`toryo up\` が記録します。`,
  }
}

/** No limping on in an unknown state: the log says why, and the next start finds everything that was committed. */
function crashLoudly(log: OwnedLog): void {
  const crash = (error: unknown) => {
    log.error({ err: error }, 'the hub crashed')
    process.stderr.write(`toryo: the hub crashed: ${(error as Error)?.stack ?? String(error)}\n`)
    // The log's last lines are worth a moment.
    setTimeout(() => process.exit(EXIT_CRASHED), 200)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}

/** dist/bridge.js, seen from dist/hub.js. */
function bridgeProgram(): string {
  return fileURLToPath(new URL('./bridge.js', import.meta.url))
}

function version(): string {
  const file = fileURLToPath(new URL('../package.json', import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

const started = process.argv[1]
if (started && realpathSync(started) === fileURLToPath(import.meta.url))
  void main(process.argv.slice(2)).then(code => (process.exitCode = code))
