// The live view of `toryo up` in a terminal, and what Ctrl-C means there: the first one says what would end.
import type { ReadStream, WriteStream } from 'node:tty'
import { ClientError } from '#client/errors.ts'
import { findHub } from '#client/start-hub.ts'
import type { WorkView } from '#contract/work.ts'
import { isAlive } from '#system/processes.ts'
import type { Connection } from '../connect.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import type { Io } from '../io.ts'
import { Changes, type Line, type Look } from './changes.ts'
import { type HubChild, startHubChild } from './hub-child.ts'
import { Keyboard } from './keyboard.ts'
import { type Ends, panel } from './panel.ts'
import { Screen } from './screen.ts'
import { connected, watchWork } from './watch.ts'
import { fitted, wrap } from '../wrap.ts'
import fs from 'node:fs'

const BELL = '\u0007'
const NOTHING: Look = { work: [], waiting: [], items: [], merged: [], returned: [] }
const NAMED = 4

/** `alreadyRuns`: a hub of this database is there; one in the background is taken over, another one is only shown. */
export async function liveView(
  cx: Context,
  argv: string[],
  { alreadyRuns, isDemo }: { alreadyRuns: boolean; isDemo: boolean },
): Promise<number> {
  if (!fs.existsSync(cx.hubProgram)) throw ClientError.HUB_NOT_BUILT({ program: cx.hubProgram })
  const running = alreadyRuns ? await foreground(cx) : undefined
  const view = new View(cx.io, isDemo)
  try {
    // Awaited here: the view must last as long as it is shown.
    if (running) return await view.show(running, pid => hasGone(cx, pid))
    const child = startHubChild(cx.hubProgram, argv, text => view.printLines(text))
    return await view.run(child, db => cx.connectRunning(db))
  } finally {
    view.dispose()
  }
}

/** One that runs in the foreground already, or was left running. */
async function foreground(cx: Context): Promise<Connection | undefined> {
  const hub = await cx.connectRunning()
  const { background } = await hub.call('hub.status', {})
  return background ? undefined : hub
}

/** A hub that only is too busy to answer is there still. */
async function hasGone(cx: Context, pid: number): Promise<boolean> {
  const found = await findHub(cx.target())
  return found ? found.pid !== pid : !isAlive(pid)
}

class View {
  readonly #io: Io
  readonly #screen: Screen
  readonly #changes: Changes
  readonly #over = new AbortController()
  #look: Look = NOTHING
  /** What Ctrl-C does: stops the hub; of another's it ends the view only; a demo is deleted. */
  #ends: Ends
  /** Takes the place of the panel while a question is open. */
  #question: { readonly lines: string[]; answer(key: string): void } | undefined
  #interrupted = () => {}
  #hungUp = () => {}
  readonly #keyboard: Keyboard

  constructor(io: Io, isDemo: boolean) {
    this.#io = io
    this.#ends = isDemo ? 'demo' : 'hub'
    this.#changes = new Changes(io)
    const output = io.stdout as WriteStream
    this.#screen = new Screen(
      output,
      () => this.#question?.lines ?? panel(this.#look, this.#screen.size, io, this.#ends),
    )
    // Also what is not from this terminal's keys: `kill -INT`.
    process.on('SIGINT', () => this.#interrupted())
    process.on('SIGHUP', () => this.#hungUp())
    output.on('error', () => this.#hungUp())
    this.#keyboard = new Keyboard(io.stdin as ReadStream, {
      interrupt: () => this.#interrupted(),
      key: key => this.#question?.answer(key),
      gone: () => this.#hungUp(),
      suspended: () => this.#screen.suspend(),
      resumed: () => this.#screen.resume(),
    })
  }

  dispose(): void {
    this.#over.abort()
    this.#screen.dispose()
    this.#keyboard.dispose()
  }

  print(text: string): void {
    this.#screen.print(text)
  }

  /** What the hub says, which does not know our window. */
  printLines(text: string): void {
    this.print(fitted(text, this.#screen.size.columns))
  }

  /** Of a hub that is not ours: Ctrl-C only ends the view. */
  async show(hub: Connection, isGone: (pid: number) => Promise<boolean>): Promise<number> {
    this.#ends = 'view'
    const { pid, url } = await hub.call('hub.status', {})
    this.print(this.#wrapped(this.#io.say(words.alreadyRuns(pid, url))))
    const left = new Promise<'left'>(resolve => {
      this.#interrupted = this.#hungUp = () => resolve('left')
      process.on('SIGTERM', () => resolve('left'))
    })
    const gone = this.#watch(hub, () => isGone(pid)).then(() => 'gone' as const)
    const how = await Promise.race([left, gone])
    this.#screen.hide()
    this.print(this.#wrapped(this.#io.say(how === 'gone' ? words.gone(pid) : words.goesOn)))
    return EXIT.done
  }

  async run(child: HubChild, connect: (db?: string) => Promise<Connection>): Promise<number> {
    const leaving = this.#signals(child)
    const watched = child.listens.then(async db => {
      const hub = await connected(() => connect(db), this.#over.signal)
      if (hub) await this.#watch(hub)
      return child.ended
    })
    const code = await Promise.race([child.ended, watched, leaving.then(() => undefined)])
    if (code !== undefined) return code
    this.#over.abort()
    await child.leave()
    this.#screen.hide()
    this.print(this.#wrapped(this.#io.say(words.left(child.pid ?? 0))))
    return EXIT.done
  }

  async #watch(hub: Connection, isGone?: () => Promise<boolean>): Promise<void> {
    this.#screen.show()
    const see = (look: Look) => {
      this.#look = look
      const lines = this.#changes.take(look)
      if (lines.length === 0) return this.#screen.draw()
      const text = lines.map(line => this.#painted(line)).join('')
      this.print(`${lines.some(({ kind }) => kind === 'needs') ? BELL : ''}${text}`)
    }
    await watchWork(hub, this.#over.signal, see, isGone)
  }

  /** Resolves when the hub is to be left running. */
  #signals(child: HubChild): Promise<void> {
    let isStopping = false
    const stop = (signal: NodeJS.Signals) => {
      isStopping = true
      child.signal(signal)
    }
    return new Promise(leave => {
      process.on('SIGTERM', () => stop('SIGTERM'))
      // A closed window is not an order to end the work in it; without work there is nothing to keep a hub for.
      this.#hungUp = () => {
        if (!isStopping && this.#ends !== 'demo' && isUnderWay(this.#look)) return leave()
        if (!isStopping) stop('SIGHUP')
      }
      this.#interrupted = () => {
        const asked = this.#question
        this.#question = undefined
        if (asked) this.print(this.#io.say(words.ending))
        // A demo cannot be left in the background: there is nothing to ask.
        if (asked || isStopping || this.#ends === 'demo' || this.#openWork.length === 0) return stop('SIGINT')
        this.#ask(key => {
          if (key === 'b' || key === 'B') leave()
        })
      }
    })
  }

  get #openWork(): readonly WorkView[] {
    return this.#look.work.filter(({ ended_at }) => ended_at === null)
  }

  /** A Ctrl-C is an answer, too, and comes as every other one. */
  #ask(answered: (key: string) => void): void {
    const lines = [
      ...this.#wrapped(this.#io.say(words.wouldEnd(whatEnds(this.#openWork, this.#io)))).split('\n'),
      ...this.#wrapped(this.#io.say(words.choices)).split('\n'),
    ]
    const answer = (key: string) => {
      this.#question = undefined
      this.#screen.draw()
      answered(key)
    }
    this.#question = { lines, answer }
    this.#screen.draw()
  }

  #painted({ kind, text, good }: Line): string {
    const { colors } = this.#io
    // The command at the end is to be copied: it stays in one piece where it fits into a line.
    const [, before, command] = /^(.*) (\(toryo [^()]*\))$/s.exec(text) ?? []
    const isApart = command !== undefined && this.#wrapped(text).includes('\n')
    const lines = isApart ? `${this.#wrapped(before ?? '')}\n  ${command}` : this.#wrapped(text)
    if (kind === 'needs') return `${colors.yellow(lines)}\n`
    if (kind === 'ended') return `${good ? colors.green(lines) : colors.red(lines)}\n`
    return `${lines}\n`
  }

  #wrapped(text: string): string {
    return wrap(text, Math.max(20, this.#screen.size.columns - 1))
  }
}

/** Agents at work, tabs that are open, and work that is started again in a moment. */
function isUnderWay({ work }: Look): boolean {
  return work.some(({ ended_at, next }) => ended_at === null || (next !== null && next.what !== 'waits'))
}

function whatEnds(open: readonly WorkView[], io: Pick<Io, 'say'>): string {
  const names = open.map(({ kind, name, handle }) =>
    kind === 'tab'
      ? io.say(words.tab(visibleLine(name)))
      : `${visibleLine(name)}${handle === null ? '' : ` (${handle})`}`,
  )
  const shown = names.slice(0, NAMED).join(', ')
  return names.length > NAMED ? `${shown}, … (${names.length})` : shown
}

const words = {
  tab: (branch: string) => ({ en: `tab ${branch}`, ja: `タブ ${branch}` }),
  wouldEnd: (what: string) => ({ en: `This would end: ${what}.`, ja: `終了すると次も終了します: ${what}` }),
  choices: {
    en: 'Ctrl-C again: end everything   b: leave it running in the background   any other key: go on',
    ja: 'もう一度 Ctrl-C: すべて終了   b: バックグラウンドで続ける   その他のキー: 続行',
  },
  ending: { en: 'Ending …', ja: '終了しています…' },
  gone: (pid: number) => ({
    en: `The hub (process ${pid}) has stopped. Start it again with \`toryo up\`.`,
    ja: `ハブ (プロセス ${pid}) は停止しました。\`toryo up\` で再び起動できます。`,
  }),
  left: (pid: number) => ({
    en: `The hub goes on in the background (process ${pid}). \`toryo up\` shows it again, \`toryo stop\` ends it with all that it started.`,
    ja: `ハブはバックグラウンドで動き続けます (プロセス ${pid})。\`toryo up\` で再び表示し、\`toryo stop\` で起動したものとともに終了します。`,
  }),
  alreadyRuns: (pid: number, url: string) => ({
    en: `A hub of this database runs already (process ${pid}, ${url}); this shows it. Ctrl-C ends the view only; \`toryo stop\` ends the hub.`,
    ja: `このデータベースのハブは既に動いています (プロセス ${pid}、${url})。その様子を表示します。Ctrl-C で表示だけを終え、ハブは \`toryo stop\` で停止します。`,
  }),
  goesOn: { en: 'The hub goes on; `toryo stop` ends it.', ja: 'ハブは動き続けます。`toryo stop` で停止します。' },
}
