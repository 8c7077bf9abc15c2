// The hub as a program: `toryo up` in the foreground, or in the background for a client that found none.
import { realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { otherDatabase, rememberDatabase } from '#client/last-database.ts'
import { hubLog, locate, type Target } from '#client/locate.ts'
import { portHolder } from '#system/port-holder.ts'
import { checkWritable, prepareTarget } from '#client/trusted-path.ts'
import { HubError, type Lang, type Text } from '#contract/errors.ts'
import { langOf, say } from '#contract/lang.ts'
import { USUAL_PORT } from '#contract/limits.ts'
import { systemClock } from '#kernel/clock.ts'
import { openLog, type OwnedLog } from '#kernel/log.ts'
import { type Notice, noticeText } from '#runner/notice.ts'
import { LOG_LEVEL } from '#system/environment-names.ts'
import { announce, loginLink } from './announce.ts'
import { type Args, readArgs } from './arguments.ts'
import { Demo } from './demo.ts'
import { serveOwner } from './demo-process.ts'
import { type HubOptions, LockHeld, type RunningHub, startHub } from './lifecycle.ts'
import { PortTaken } from './listening.ts'
import { type CalledAs, ownProgram, withCommandsAsRun } from './own-program.ts'
import { bridgeProgram, version } from './program-files.ts'
import { explain, fail } from './start-failure.ts'
import { sayIfSlow } from './slow-stop.ts'
import { crashLoudly, endAtOnce, HURRY_MS, stopSignals } from './stopping.ts'
import { takeOver } from './take-over.ts'

/** What concerns the people at the hub; that it cannot reach itself is for the log. */
const NEWS = new Set<Notice['kind']>(['started', 'ended', 'not-trusted', 'waits'])

/** The person at the terminal that the hub was started from. */
export type Person = {
  /** Sees agents come and go in another way than by our lines. */
  readonly watches: boolean
  /** `db`: of a demo, which is not where the person's own hub would be. */
  listening(db?: string): void
}

export async function main(argv: string[], person?: Person): Promise<number> {
  // Whatever the hub writes is for its owner alone.
  process.umask(0o077)
  // Notices of libraries to their developers (pg: passwords of ~/.pgpass) are not for people at a hub.
  process.noDeprecation = true
  const args = readArgs(argv)
  const lang = langOf(process.env)
  if ('wrong' in args) return fail(say(lang, args.wrong), 2)
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
    level: process.env[LOG_LEVEL],
    file: hubLog(target),
    stderr: process.env[LOG_LEVEL] !== undefined,
  })
  crashLoudly(log)
  let running: RunningHub | undefined
  const asked = stopSignals(args.attached || hasTerminal(), log)
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
    const hub = await start(args, target, log, lang, viewer?.watches === true, demo?.asked)
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
    else if (!args.background) await announce({ running: hub, target, args, lang, demo })
    viewer?.listening(demo?.place.db)
    await hub.stopped
    if (!args.background && !args.json)
      process.stdout.write(say(lang, demo ? deleted(ownProgram(demo.asked)) : STOPPED))
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

/** Under nohup no stream is one. */
function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
}

const STOPPED: Text = { en: 'Stopped.\n', ja: '停止しました。\n' }
/** The last line says what a person who liked it does next. */
const deleted = (program: string): Text => ({
  en: `The demo has ended and is deleted.\nNext, with your own agents: \`${program} init\` in a project of yours.\n`,
  ja: `デモを終了し、すべて削除しました。\n次は、自分のプロジェクトのフォルダーで \`${program} init\` を実行してください。\n`,
})

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

async function start(
  args: Args,
  target: Target,
  log: OwnedLog,
  lang: Lang,
  isWatched: boolean,
  asked = process.env,
): Promise<RunningHub> {
  const program = ownProgram(asked)
  const calledAs = args.demo ? { program, db: target.shownDb } : undefined
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
    program,
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
      runner: { bridge: bridgeProgram(), source: process.env, notice: tell(args, lang, isWatched, calledAs) },
    }),
    ...(args.register && { register: { env: process.env, bridge: bridgeProgram() } }),
  }
  try {
    return await startHub(options)
  } catch (error) {
    if (error instanceof LockHeld && !args.background && (await takeOver(target)))
      return start(args, target, log, lang, isWatched, asked)
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

/** Says at the hub's terminal which agents come and go, and why one does not start. */
function tell(args: Args, lang: Lang, isWatched: boolean, demo: CalledAs | undefined): (notice: Notice) => void {
  return notice => {
    if (isWatched && (notice.kind === 'started' || notice.kind === 'ended')) return
    if (!NEWS.has(notice.kind) || args.json) return
    const text = say(lang, noticeText(notice))
    process.stderr.write(`${demo ? withCommandsAsRun(text, demo) : text}\n`)
  }
}

function attachedViewer(): Person {
  return { watches: true, listening: db => void process.send?.({ listening: db ?? null }) }
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

const started = process.argv[1]
if (started && realpathSync(started) === fileURLToPath(import.meta.url))
  void main(process.argv.slice(2)).then(code => (process.exitCode = code))
