// Types the messages of one tab into its terminal: in order, each once, only when it is safe. What waits is in the database,
// so that the next hub goes on where this one was.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#contract/caller.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { TerminalError, type Terminals } from '#kernel/terminals/terminals.ts'
import { headerOf, typed } from './encoder.ts'
import type { Messages } from './messages.ts'
import { mayType, type Message, type Tab } from './model.ts'
import type { Engines } from './ports.ts'

export type PostmanDeps = {
  terminals: Pick<Terminals, 'screen' | 'type'>
  engines: Pick<Engines, 'sight' | 'holds' | 'knows' | 'enterAnswers'>
  messages: Messages
  clock: Clock
  log: Log
  /** The hub acting by itself. */
  by: Caller
  /** A line is in the terminal, and nobody has written that down yet. */
  typed?: () => void
}

const LOOK_MS = 150
const LOOK_AGAIN_MS = 10
/** Before this a program has not shown what it makes of a line, and would look idle. */
const SETTLE_MS = 700
const RETRY_MS = 1000
/** So long a program may take to show a line, or to take it. */
const ECHO_MS = 30_000
/** An Enter right behind a paste is taken for a part of it. */
const SHOWN_MS = 300
const RESTLESS_MS = 2000
/** A line that stays in the prompt while the program goes on: its Enter was swallowed. */
const AGAIN_MS = 5000
const ENTERS = 4
/** No screen has it: nothing is typed, and only told whether it was before. */
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
    while (!this.#gone.signal.aborted) {
      try {
        this.#woken = false
        const message = await this.#deps.messages.nextFor(this.#tab.id)
        if (!message) await this.#called()
        else if (!(await this.#deliver(message))) return
      } catch (error) {
        // The database or the host is away; the message is still there.
        this.#deps.log.warn({ err: error, tab: this.#tab.id }, 'a message waits; it is tried again')
        await this.#pause(RETRY_MS)
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
      if (!(await this.#type(message))) return true
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error
      if (error.problem === 'ended' || error.problem === 'no-terminal') return false
      if (error.problem !== 'stalled' && error.problem !== 'full') throw error
      await messages.undeliverable(message, 'stalled', by)
      return true
    }
    await messages.delivered(message, by)
    return true
  }

  /** Waits for the moment. False: the hub ends, or the message is no longer wanted. */
  async #type(message: Message): Promise<boolean> {
    const { terminals, engines, messages, clock } = this.#deps
    const { id, engine } = this.#tab
    const line = message.kind === 'prompt' ? message.line : headerOf(message.sender) + message.line
    const known = engines.knows(engine)
    // Of a program that we know we see whether it took the line; of the others the host presses Enter by itself.
    const stroke = { ...typed(line), key: message.id, ...(known && { enter: NOTHING }) }
    // An earlier hub may have typed it: the host knows, and then no other moment is waited for.
    let stroked = await terminals.type(id, { ...stroke, ifSeq: NEVER })
    let begun = clock.monotonic()
    let typedAt = begun
    let told = false
    while (stroked === 'changed') {
      if (this.#gone.signal.aborted) return false
      const screen = await terminals.screen(id)
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
      // Unless something moved since we looked: then we look again.
      typedAt = now
      if (may) {
        if (!told) await messages.typing(message)
        told = true
        stroked = await terminals.type(id, { ...stroke, ifSeq: screen.seq })
      }
      if (stroked === 'changed') await this.#pause(LOOK_MS)
    }
    if (known && !(await this.#enter(`${message.id}:1`, line, typedAt))) return false
    this.#deps.typed?.()
    if (known) await this.#sent(message.id, line)
    return true
  }

  /**
   * Sends the line once the program shows it: an Enter that it reads together with the line becomes a part of it, and one that
   * finds a question that has opened meanwhile would answer that. False: the hub ends.
   */
  async #enter(key: string, line: string, since: number): Promise<boolean> {
    const { terminals, engines, clock } = this.#deps
    const { id, engine } = this.#tab
    const stroke = { key, paste: NOTHING, pauseMs: 0, enter: typed('').enter }
    let begun = clock.monotonic()
    let shownAt: number | undefined
    let asked = false
    while (!this.#gone.signal.aborted) {
      const screen = await terminals.screen(id)
      const now = clock.monotonic()
      const answers = engines.enterAnswers(engine, screen, line)
      asked ||= answers
      if (answers) begun = now
      const holds = !answers && engines.holds(engine, screen, line)
      shownAt = holds ? (shownAt ?? now) : undefined
      // Keys that a person pressed behind the line, unless they have answered a question.
      const touched = !asked && screen.typedMs !== null && screen.typedMs < now - since
      const theirs = touched && screen.unsent
      const shown = shownAt === undefined ? now - begun > ECHO_MS : now - shownAt >= SHOWN_MS
      const may = shown && !answers && !theirs
      // What draws all the time changes between every look and its key.
      const still = shownAt !== undefined && now - shownAt < RESTLESS_MS ? screen.seq : undefined
      if ((await terminals.type(id, { ...stroke, ifSeq: may ? still : NEVER })) === 'typed') return true
      // They have sent it, or thrown it away.
      if (touched && !holds && !answers && !theirs) return true
      await this.#pause(may ? LOOK_AGAIN_MS : LOOK_MS)
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
      const screen = await terminals.screen(id)
      seq ??= screen.seq
      const waitedMs = clock.monotonic() - begun
      if (screen.unsent || !engines.holds(engine, screen, line) || waitedMs > ECHO_MS) return
      if (waitedMs < AGAIN_MS || screen.seq === seq) continue
      if (!(await this.#enter(`${key}:${again++}`, line, begun))) return
      begun = clock.monotonic()
      seq = undefined
    }
  }

  async #pause(ms: number): Promise<void> {
    // Woken by the end of the tab: what it was waiting for will not come.
    await sleep(ms, undefined, { signal: this.#gone.signal }).catch(() => {})
  }
}
