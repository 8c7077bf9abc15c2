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
  engines: Pick<Engines, 'sight' | 'holds' | 'knows' | 'enterAnswers' | 'dialogSigns'>
  messages: Messages
  clock: Clock
  log: Log
  /** The hub acting by itself. */
  by: Caller
  /** A line is in the terminal, and nobody has written that down yet. */
  typed?: () => void
}

const LOOK_MS = 150
/** No screen has it: nothing is typed, and only told whether it was before. */
const NEVER = -1
const LOOK_AGAIN_MS = 10
const RESTLESS_MS = 2000
/** Before this a program has not shown what it makes of a line, and would look idle. */
const SETTLE_MS = 700
const RETRY_MS = 1000
/** A line that stays in the prompt was pasted while the program could not take Enter yet. */
const ENTER_AGAIN = 3

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
    const { terminals, engines, clock } = this.#deps
    const { id, engine } = this.#tab
    const line = message.kind === 'prompt' ? message.line : headerOf(message.sender) + message.line
    const stroke = { key: message.id, ...typed(line), unless: engines.dialogSigns(engine) }
    // An earlier hub may have typed it: the host knows, and then no other moment is waited for.
    let stroked = await terminals.type(id, { ...stroke, ifSeq: NEVER })
    let begun = clock.monotonic()
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
        known: engines.knows(engine),
        prompted: this.#prompted,
        blank: screen.lines.every(row => row.trim() === ''),
      })
      // Unless something moved since we looked: then we look again.
      if (may) stroked = await terminals.type(id, { ...stroke, ifSeq: screen.seq })
      if (stroked === 'changed') await this.#pause(LOOK_MS)
    }
    if (stroked === 'typed') this.#deps.typed?.()
    return this.#sent(message.id, line, stroked === 'typed')
  }

  /** Typed is not sent: some programs swallow an Enter that comes while they are busy with the paste. */
  async #sent(key: string, line: string, entered: boolean): Promise<boolean> {
    const { terminals, engines } = this.#deps
    const { id, engine } = this.#tab
    if (!entered && !(await this.#enter(`${key}:0`, line))) return false
    for (let again = 1; again <= ENTER_AGAIN && engines.knows(engine); again++) {
      await this.#pause(SETTLE_MS)
      if (this.#gone.signal.aborted) return true
      const screen = await terminals.screen(id)
      if (screen.unsent || !engines.holds(engine, screen, line)) return true
      if (!(await this.#enter(`${key}:${again}`, line))) return true
    }
    return true
  }

  /** By itself, once no question is open that it would answer. False: the hub ends. */
  async #enter(key: string, line: string): Promise<boolean> {
    const { terminals, engines, clock } = this.#deps
    const { id, engine } = this.#tab
    const stroke = { ...typed(''), key, paste: new Uint8Array(), pauseMs: 0 }
    const begun = clock.monotonic()
    while (!this.#gone.signal.aborted) {
      const screen = await terminals.screen(id)
      const answers = engines.enterAnswers(engine, screen, line)
      // What draws all the time changes between every look and its key.
      const still = clock.monotonic() - begun < RESTLESS_MS ? screen.seq : undefined
      if ((await terminals.type(id, { ...stroke, ifSeq: answers ? NEVER : still })) === 'typed') return true
      await this.#pause(answers ? LOOK_MS : LOOK_AGAIN_MS)
    }
    return false
  }

  async #pause(ms: number): Promise<void> {
    // Woken by the end of the tab: what it was waiting for will not come.
    await sleep(ms, undefined, { signal: this.#gone.signal }).catch(() => {})
  }
}
