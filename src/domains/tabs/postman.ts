// Types the messages of one tab into its terminal: in order, each once, only when it is safe. What waits is in the database,
// so that the next hub goes on where this one was.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#contract/caller.ts'
import type { MessageId } from '#contract/id-types.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { TerminalError, type Terminals } from '#kernel/terminals/terminals.ts'
import { END_OF_PASTE, headerOf, typed } from './encoder.ts'
import { ECHO_MS, EnterMoment, type Typed } from './enter-moment.ts'
import { LINE_TOO_LONG, type Messages, STALLED } from './messages.ts'
import { mayType, type Message, type Tab } from './model.ts'
import type { TabEngines } from './ports.ts'

export type PostmanDeps = {
  terminals: Pick<Terminals, 'screen' | 'type'>
  engines: Pick<TabEngines, 'sight' | 'holds' | 'knows' | 'enterAnswers'>
  messages: Messages
  clock: Clock
  log: Log
  /** The hub acting on its own. */
  by: Caller
  /** The line alone, or with its Enter, is in the terminal, and that is not recorded yet. */
  reached?: (step: 'pasted' | 'typed') => void
}

const LOOK_MS = 150
/** What lasts this long, most likely a dialog that waits for a person, may go on for hours. */
const LONG_MS = 10_000
const SELDOM_MS = 1000
/** When only the right moment between two drawings is missing. */
const LOOK_AGAIN_MS = 10
/** Before this a program has not shown what it makes of a line, and would look idle. */
const SETTLE_MS = 700
const RETRY_MS = 1000
const LAST_RETRY_MS = 30_000
/** A line that stays in the prompt while the program goes on: its Enter was swallowed. */
const AGAIN_MS = 5000
const ENTERS = 4
/** No screen has it: nothing is typed; the answer only says whether it was before. */
const NEVER = -1
const NOTHING = new Uint8Array()

export class Postman {
  readonly #deps: PostmanDeps
  readonly #tab: Tab
  readonly #gone = new AbortController()
  /** The terminal was opened, or the last question of its program was seen. */
  #openedAt: number
  /** The program has shown that it is there. */
  #prompted = false
  readonly #work: Promise<void>
  #wake = () => {}
  #woken = false

  constructor(deps: PostmanDeps, tab: Tab) {
    this.#deps = deps
    this.#tab = tab
    this.#openedAt = deps.clock.monotonic()
    this.#work = this.#run()
  }

  /** There is something new. */
  wake(): void {
    this.#woken = true
    this.#wake()
  }

  dispose(): Promise<void> {
    this.#gone.abort()
    this.wake()
    return this.#work
  }

  async #run(): Promise<void> {
    let retryMs = RETRY_MS
    while (!this.#gone.signal.aborted) {
      try {
        this.#woken = false
        const message = await this.#deps.messages.nextFor(this.#tab.id)
        if (!message) await this.#called()
        else if (!(await this.#deliver(message))) return
        retryMs = RETRY_MS
      } catch (error) {
        if (this.#gone.signal.aborted) return
        // The database or the host is away; the message is still there.
        this.#deps.log.warn({ err: error, tab: this.#tab.id }, 'a message waits; it is tried again')
        await this.#pause(retryMs)
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      }
    }
  }

  #called(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
      if (this.#woken) resolve()
    })
  }

  /** False: there is no terminal any more. */
  async #deliver(message: Message): Promise<boolean> {
    const { messages, by } = this.#deps
    try {
      const cut = await messages.cutBefore(message)
      if (cut !== undefined) await this.#endPaste(cut)
      if (!(await this.#type(message))) return true
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error
      if (error.problem === 'ended' || error.problem === 'no-terminal') return false
      if (error.problem === 'too-long') {
        // Nothing of it is left in the terminal.
        await messages.undeliverable(message, LINE_TOO_LONG, by)
        return true
      }
      if (error.problem !== 'stalled' && error.problem !== 'full') throw error
      await messages.undeliverable(message, STALLED, by)
      await this.#endPaste(message.id).catch(() => {}) // It does not read yet: before the next message it is tried again.
      return true
    }
    await messages.delivered(message, by)
    return true
  }

  /** Else the next line, and a person's keys, would go on in the middle of this one. Done once. */
  async #endPaste(id: MessageId): Promise<void> {
    const stroke = { key: `${id}:end`, paste: END_OF_PASTE, pauseMs: 0, enter: NOTHING }
    await this.#host(this.#deps.terminals.type(this.#tab.id, stroke))
  }

  /** Waits for the moment. False: the hub ends, or the message was taken back before its first key. */
  async #type(message: Message): Promise<boolean> {
    const { engines } = this.#deps
    const line = message.kind === 'prompt' ? message.line : headerOf(message.sender) + message.line
    const known = engines.knows(this.#tab.engine)
    const when = await this.#paste(message, line, known)
    if (!when) return false
    this.#deps.reached?.('pasted')
    if (!(await this.#enter(`${message.id}:1`, line, { known, ...when }))) return false
    this.#deps.reached?.('typed')
    // For the others it is unknown whether they took it.
    if (known) await this.#sent(message.id, line)
    return true
  }

  async #paste(message: Message, line: string, known: boolean): Promise<Omit<Typed, 'known'> | undefined> {
    const { terminals, engines, messages, clock } = this.#deps
    const { id, engine } = this.#tab
    // Enter is a stroke of its own, so that it can be kept back. The pause keeps a person's keys back as well.
    const stroke = { ...typed(line), enter: NOTHING, key: message.id }
    let begun = clock.monotonic()
    // An earlier hub may have typed it: the host knows, and then no other moment is waited for.
    if ((await this.#host(terminals.type(id, { ...stroke, ifSeq: NEVER }))) === 'typed')
      return { begun, since: begun - (message.typedAt === null ? 0 : Math.max(0, clock.now() - message.typedAt)) }
    const began = begun
    let told = false
    while (!this.#gone.signal.aborted) {
      const screen = await this.#host(terminals.screen(id))
      const sight = engines.sight(engine, screen)
      const now = clock.monotonic()
      if (sight === 'dialog' || sight === 'typing') begun = now
      if (sight === 'dialog') this.#openedAt = now
      if (sight === 'idle' || sight === 'busy') this.#prompted = true
      const may = mayType({
        sight,
        waitedMs: now - begun,
        openMs: now - this.#openedAt,
        takesPaste: screen.bracketedPaste,
        known,
        prompted: this.#prompted,
        blank: screen.lines.every(row => row.trim() === ''),
      })
      if (may) {
        if (!told && !(await messages.typing(message))) return undefined
        // Unless something moved since we looked: then we look again.
        const stroked = await this.#host(terminals.type(id, { ...stroke, ifSeq: screen.seq }))
        if (stroked === 'typed') return { begun: now, since: now }
      }
      told = may
      await (may ? this.#pause(LOOK_AGAIN_MS) : this.#untilNextLook(began))
    }
    return undefined
  }

  /** Sends the line once the program shows it, and no question is open. False: the hub ends. */
  async #enter(key: string, line: string, when: Typed): Promise<boolean> {
    const { terminals, engines, clock } = this.#deps
    const { id, engine } = this.#tab
    const stroke = { key, paste: NOTHING, pauseMs: 0, enter: typed('').enter }
    if ((await this.#host(terminals.type(id, { ...stroke, ifSeq: NEVER }))) === 'typed') return true
    const moment = new EnterMoment(when)
    const began = clock.monotonic()
    while (!this.#gone.signal.aborted) {
      const screen = await this.#host(terminals.screen(id))
      const asks = engines.enterAnswers(engine, screen, line)
      const holds = !asks && engines.holds(engine, screen, line)
      const empty = when.known && engines.sight(engine, screen) === 'idle'
      const { typedMs, unsent, seq } = screen
      const verdict = moment.look({ now: clock.monotonic(), typedMs, unsent, asks, holds, empty })
      if (verdict === 'gone') return true
      if (verdict === 'wait') {
        await this.#untilNextLook(began)
        continue
      }
      const ifSeq = verdict === 'press' ? undefined : seq
      if ((await this.#host(terminals.type(id, { ...stroke, ifSeq }))) === 'typed') return true
      await this.#pause(LOOK_AGAIN_MS)
    }
    return false
  }

  /** A program that works and still shows the line has not taken the Enter. One that does not move may only be slow. */
  async #sent(key: string, line: string): Promise<void> {
    const { terminals, engines, clock } = this.#deps
    const { id, engine } = this.#tab
    let begun = clock.monotonic()
    let seq: number | undefined
    for (let again = 2; again <= ENTERS && !this.#gone.signal.aborted; ) {
      await this.#pause(SETTLE_MS)
      const screen = await this.#host(terminals.screen(id))
      seq ??= screen.seq
      const waitedMs = clock.monotonic() - begun
      if (screen.unsent || !engines.holds(engine, screen, line) || waitedMs > ECHO_MS) return
      if (waitedMs < AGAIN_MS || screen.seq === seq) continue
      const now = clock.monotonic()
      if (!(await this.#enter(`${key}:${again++}`, line, { known: true, begun: now, since: begun }))) return
      begun = clock.monotonic()
      seq = undefined
    }
  }

  /** What the host answers; throws when the hub ends first, since a program that does not read may hold up the answer for long. */
  #host<T>(answer: Promise<T>): Promise<T> {
    const { signal } = this.#gone
    return new Promise((resolve, reject) => {
      const leave = () => reject(new Error('the hub ends'))
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave)
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  #untilNextLook(began: number): Promise<void> {
    return this.#pause(this.#deps.clock.monotonic() - began > LONG_MS ? SELDOM_MS : LOOK_MS)
  }

  async #pause(ms: number): Promise<void> {
    // Woken by the end of the tab: what it was waiting for will not come.
    await sleep(ms, undefined, { signal: this.#gone.signal }).catch(() => {})
  }
}
