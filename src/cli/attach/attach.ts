// A tab's terminal in the person's own: keys in, screen out, until they detach, the program ends, or the hub stays away.
import { setTimeout as sleep } from 'node:timers/promises'
import type tty from 'node:tty'
import {
  type TerminalEnd,
  type TerminalEndpoint,
  type TerminalEvents,
  TerminalLink,
  TerminalRefused,
} from '#client/terminal-link.ts'
import type { Io } from '../io.ts'
import { tabTexts } from '../texts-tab.ts'
import { type DetachKey, DetachWatch } from './detach-key.ts'
import { OwnScreen } from './screen.ts'

export type AttachOptions = {
  io: Io
  input: tty.ReadStream
  output: tty.WriteStream
  tab: string
  readOnly: boolean
  key: DetachKey
  /** Looked for again at each try: a hub that was started again has another address. */
  endpoint(): Promise<TerminalEndpoint>
}

export type Outcome =
  | { how: 'detached' }
  | { how: 'ended'; exit: TerminalEnd }
  | { how: 'lost' }
  | { how: 'refused'; problem: TerminalRefused }

/** The hub needs a moment to start again; after that none will be started. */
export const RECONNECT_MS = 30_000
const RETRY_MS = 250
/** How long the line that names the detach key can be read before the screen is drawn over it. */
const BANNER_MS = 700

export function attach(options: AttachOptions): Promise<Outcome> {
  return new Session(options).run()
}

class Session {
  readonly #options: AttachOptions
  readonly #screen: OwnScreen
  readonly #watch: DetachWatch
  readonly #outcome: Promise<Outcome>
  #finish: (outcome: Outcome) => void = () => {}
  #done = false
  #link: TerminalLink | undefined
  #connected = false
  #entered = false

  constructor(options: AttachOptions) {
    this.#options = options
    this.#screen = new OwnScreen(options.input, options.output)
    this.#watch = new DetachWatch(options.key)
    this.#outcome = new Promise(resolve => {
      this.#finish = outcome => {
        this.#done = true
        resolve(outcome)
      }
    })
  }

  async run(): Promise<Outcome> {
    const { input, output } = this.#options
    const resized = () => this.#link?.resize(this.#screen.size.cols, this.#screen.size.rows)
    const typed = (bytes: Buffer) => this.#typed(bytes)
    const ended = () => this.#finish({ how: 'detached' })
    // The window was closed, or a signal ends us: the program in the tab goes on.
    for (const signal of SIGNALS) process.on(signal, ended)
    input.on('data', typed)
    input.on('end', ended)
    output.on('resize', resized)
    output.on('error', ended)
    try {
      return await Promise.race([this.#connect().then(() => this.#outcome), this.#outcome])
    } finally {
      this.#link?.close()
      this.#screen.restore()
      for (const signal of SIGNALS) process.off(signal, ended)
      input.off('data', typed)
      input.off('end', ended)
      output.off('resize', resized)
      output.off('error', ended)
      input.pause()
    }
  }

  #typed(bytes: Buffer): void {
    const passed = this.#watch.read(bytes)
    if (passed === undefined) return this.#finish({ how: 'detached' })
    if (passed.length > 0 && !this.#options.readOnly && this.#connected) this.#link?.input(passed)
  }

  async #connect(): Promise<void> {
    const { tab, readOnly } = this.#options
    const deadline = performance.now() + RECONNECT_MS
    for (;;) {
      try {
        const endpoint = await this.#options.endpoint()
        const options = { tab, readOnly, size: this.#screen.size }
        const link = await TerminalLink.open(endpoint, options, this.#events())
        if (this.#done) return link.close()
        this.#link = link
        this.#connected = true
        return
      } catch (problem) {
        if (this.#done) return
        if (problem instanceof TerminalRefused && (problem.status < 500 || !this.#entered))
          return this.#finish({ how: 'refused', problem })
        // At the first try the person should know why; later the hub is expected back.
        if (!this.#entered) throw problem
        if (performance.now() > deadline) return this.#finish({ how: 'lost' })
        await sleep(RETRY_MS)
      }
    }
  }

  #events(): TerminalEvents {
    let waiting: Promise<void> | undefined
    // What comes while the first line is still to be read is drawn after it, in order.
    const then = (work: () => void) => {
      if (!waiting) return this.#done ? undefined : work()
      waiting = waiting.then(() => (this.#done ? undefined : work()))
    }
    return {
      screen: bytes => {
        if (!this.#entered) waiting = this.#enter().finally(() => (waiting = undefined))
        then(() => this.#screen.draw(bytes))
      },
      output: bytes => then(() => void this.#screen.write(bytes)),
      resized: () => {},
      ended: exit => then(() => this.#finish({ how: 'ended', exit })),
      notice: () => then(() => void this.#screen.write('\x07')),
      closed: () => then(() => this.#lost()),
    }
  }

  async #enter(): Promise<void> {
    const { io, tab, key, readOnly } = this.#options
    this.#entered = true
    const banner = readOnly ? tabTexts.watching(tab, key.shown) : tabTexts.attached(tab, key.shown)
    this.#screen.write(`${io.say(banner)}\n`)
    this.#screen.enter()
    await Promise.race([sleep(BANNER_MS), this.#outcome])
  }

  #lost(): void {
    if (this.#done) return
    this.#connected = false
    this.#link = undefined
    this.#screen.write(`\r\n[toryo] ${this.#options.io.say(tabTexts.reconnecting)}\r\n`)
    this.#connect().catch(() => this.#finish({ how: 'lost' }))
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
