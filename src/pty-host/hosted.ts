// One terminal with its program: reads the output at the pace at which it can be dealt with, keeps screen and log, and ends
// the program with all that came from it. Knows nothing of connections, neither the hub's nor those of viewers.
import { CappedLog } from '#kernel/processes/capped-log.ts'
import { LaunchError, launchAt, type Exit } from '#kernel/processes/launch.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { stop } from '#kernel/processes/stop.ts'
import {
  type OpenTerminal,
  type Screen,
  type Size,
  type Stroke,
  TerminalError,
  type TerminalExit,
} from '#kernel/terminals/terminals.ts'
import { Emulator } from './emulator.ts'
import { FanOut, type Picture } from './fan-out.ts'
import { InputQueue } from './input-queue.ts'
import { LINE_BYTES, LineMode } from './line-mode.ts'
import { Pty } from './pty.ts'
import { Strokes } from './strokes.ts'
import { Unsent } from './unsent.ts'

/** Above this much that waits to be parsed, nothing more is read. */
const HIGH_WATER = 100_000
const LOW_WATER = 5_000
/** The emulator works on so much at once: other terminals get their turn in between. */
const PARSE_BYTES = 32 * 1024
/** Little waits so long for more, unless a viewer asks for the screen: working on each key's echo on its own would hold up the next. */
const PARSE_MS = 2
/** Thousands of small frames are expensive: once so much was sent in so short a time, more is gathered first. */
const GATHER_MS = 4
const AT_ONCE_BYTES = 4 * 1024
const GATHER_BYTES = 32 * 1024
const LOG_MS = 50
/** Processes that stay in a terminal after its program has ended were left there by mistake. */
const LEFT_BEHIND_MS = 2000
const TERM = 'xterm-256color'
const ESC = 0x1b
/** Ctrl-U: where a terminal collects whole lines, it throws away the one that was begun. */
const KILL_LINE = new Uint8Array([0x15])

export type HostedEvents = {
  exited(exit: TerminalExit): void
  /** A person's input did not fit, or the program did not read it. */
  refused(error: TerminalError): void
}

type Step = { bytes: Buffer } | { act: () => void }

export class Hosted {
  readonly record: ProcessRecord
  readonly ended: Promise<TerminalExit>
  exit: TerminalExit | undefined
  readonly viewers = new FanOut(() => this.#picture())
  size: Size
  readonly #pty: Pty
  readonly #emulator: Emulator
  readonly #input: InputQueue
  readonly #log: CappedLog
  readonly #events: HostedEvents
  #steps: Step[] = []
  #parsing = false
  #parser: NodeJS.Timeout | undefined
  #unparsed = 0
  #paused = false
  #logIsFull = false
  /** Bytes received since it was opened. */
  #position = 0
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  /** How much came within the present few milliseconds. */
  #spellBegan = 0
  #spellBytes = 0
  #sender: NodeJS.Timeout | undefined
  /** Not in the log yet. */
  readonly #noted: Buffer[] = []
  #notedBytes = 0
  #writer: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  #typedAt: number | undefined
  readonly #strokes: Strokes
  readonly #lineMode: LineMode
  readonly #unsent = new Unsent()
  /** Grows with every output and every input of a person. */
  #seq = 0
  #stopping: Promise<TerminalExit> | undefined

  static async open(options: OpenTerminal, events: HostedEvents): Promise<Hosted> {
    const log = await CappedLog.create(options.logFile).catch(cause => {
      throw new LaunchError('refused', `the log could not be made: ${(cause as Error).message}`)
    })
    let hosted: Hosted | undefined
    const early: Buffer[] = []
    const pty = new Pty(options.cols, options.rows, bytes => (hosted ? hosted.#received(bytes) : early.push(bytes)))
    try {
      const env = { TERM, ...options.env }
      const { record, exited } = await launchAt({ terminal: pty.path }, { ...options, env })
      hosted = new Hosted(options, events, { pty, log, record, exited })
      for (const bytes of early) hosted.#received(bytes)
      return hosted
    } catch (error) {
      pty.close()
      await log.close()
      throw error
    }
  }

  private constructor(
    { cols, rows }: OpenTerminal,
    events: HostedEvents,
    parts: { pty: Pty; log: CappedLog; record: ProcessRecord; exited: Promise<Exit> },
  ) {
    this.#events = events
    this.size = { cols, rows }
    this.#pty = parts.pty
    this.#log = parts.log
    this.record = parts.record
    this.#lineMode = new LineMode(parts.pty.path)
    this.#input = new InputQueue({ take: bytes => this.#pty.write(bytes) })
    this.#strokes = new Strokes((bytes, done) => this.#input.push(bytes, done))
    this.#emulator = new Emulator(cols, rows, bytes => this.#input.reply(bytes))
    this.ended = parts.exited.then(exit => this.#finish(exit))
  }

  /** What is on the screen and before it, and where in the output that was. */
  #picture(): Promise<Picture> {
    const position = this.#position
    return this.#settled(() => {
      const { cols, rows, title } = this.#emulator
      return { cols, rows, title, data: Buffer.from(this.#emulator.serialize()), position }
    })
  }

  screen(): Promise<Screen> {
    const seq = this.#seq
    return this.#settled(() => {
      const now = performance.now()
      return {
        ...this.#emulator.screen(),
        quietMs: now - this.#heardAt,
        typedMs: this.#typedAt === undefined ? null : now - this.#typedAt,
        unsent: this.#unsent.any,
        seq,
      }
    })
  }

  /** A person's keys. `refused` when they were not taken, whenever that turns out. */
  type(bytes: Uint8Array, refused: () => void): void {
    if (this.exit) return refused()
    // The program first: the rest can wait.
    this.#strokes.person(bytes, error => {
      if (!error) return
      refused()
      this.#events.refused(error)
    })
    // Moving the mouse or changing windows is not typing.
    if (!isReport(bytes)) this.#typedAt = performance.now()
    this.#seq++
    this.#unsent.typed(bytes)
  }

  /** The same key again, from whichever hub: it was typed. */
  async stroke({ ifSeq, ...stroke }: Stroke): Promise<'typed' | 'changed'> {
    const { key, paste } = stroke
    const isChanged = () => ifSeq !== undefined && ifSeq !== this.#seq
    const isLong = paste.length > LINE_BYTES
    if (!this.#strokes.knows(key) && !isChanged() && isLong) {
      const cut = await this.#cutsLines(this.#lineMode.recent())
      if (cut && !this.#strokes.knows(key) && !isChanged()) throw tooLong(paste)
    }
    const before = this.#strokes.knows(key)
    if (!before && isChanged()) return 'changed'
    await (before ?? this.#strokes.type(stroke, isLong ? () => this.#arrived(paste) : undefined))
    return 'typed'
  }

  /** Behind a long line: a program may have switched to whole lines just before it. */
  async #arrived(paste: Uint8Array): Promise<void> {
    if (!(await this.#cutsLines(this.#lineMode.now()))) return
    this.#input.push(KILL_LINE)
    throw tooLong(paste)
  }

  /** A program that asks for bracketed pastes reads key by key. */
  async #cutsLines(canonical: Promise<boolean | undefined>): Promise<boolean> {
    return (await canonical) ?? !this.#emulator.screen().bracketedPaste
  }

  resize({ cols, rows }: Size): void {
    if (this.exit || (cols === this.size.cols && rows === this.size.rows)) return
    this.size = { cols, rows }
    this.#pty.resize(cols, rows)
    this.viewers.each(viewer => viewer.resized(cols, rows))
    // What was written for the old size is shown in it first.
    this.#enqueue({ act: () => this.#emulator.resize(cols, rows) })
  }

  /** As when its window is closed; then as every process is ended. */
  stop(): Promise<TerminalExit> {
    this.#stopping ??= this.exit ? Promise.resolve(this.exit) : this.#stop()
    return this.#stopping
  }

  dispose(): void {
    clearTimeout(this.#parser)
    this.#pty.close()
    this.#emulator.dispose()
  }

  async #stop(): Promise<TerminalExit> {
    const { pid } = this.record
    const report = await stop(this.record, { own: true, ask: () => hangUp(pid) })
    if (report.survivors.includes(pid)) throw new TerminalError('stalled', `process ${pid} cannot be ended`)
    return this.ended
  }

  async #finish({ code, signal }: Exit): Promise<TerminalExit> {
    this.#input.close()
    await this.#pty.drained()
    this.#pty.close()
    await stop(this.record, { own: true, graceMs: LEFT_BEHIND_MS })
    await this.#settled(() => {})
    this.#writeLog()
    await this.#log.close()
    this.#send()
    this.exit = { code, signal }
    this.viewers.end(this.exit)
    this.#events.exited(this.exit)
    return this.exit
  }

  #received(bytes: Buffer): void {
    this.#heardAt = performance.now()
    this.#seq++
    this.#position += bytes.length
    this.#unparsed += bytes.length
    // The viewers first: all the rest can wait a moment.
    if (this.viewers.size > 0) this.#gather(bytes)
    this.#enqueue({ bytes })
    this.#note(bytes)
    this.#flow()
  }

  /** At once while it is little, so that typing feels direct; in larger pieces when it is much. */
  #gather(bytes: Buffer): void {
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.length
    const now = performance.now()
    if (now - this.#spellBegan > GATHER_MS) {
      this.#spellBegan = now
      this.#spellBytes = 0
    }
    this.#spellBytes += bytes.length
    if (this.#sender === undefined && this.#spellBytes <= AT_ONCE_BYTES) return this.#send()
    if (this.#gatheredBytes >= GATHER_BYTES) return this.#send()
    this.#sender ??= setTimeout(() => this.#send(), GATHER_MS)
  }

  /** Written in larger pieces: a write for every key would cost more than all the rest. */
  #note(bytes: Buffer): void {
    this.#noted.push(bytes)
    this.#notedBytes += bytes.length
    if (this.#notedBytes >= GATHER_BYTES) this.#writeLog()
    else this.#writer ??= setTimeout(() => this.#writeLog(), LOG_MS)
  }

  #writeLog(): void {
    clearTimeout(this.#writer)
    this.#writer = undefined
    for (const bytes of this.#noted.splice(0)) this.#log.write(bytes)
    this.#notedBytes = 0
  }

  #send(): void {
    clearTimeout(this.#sender)
    this.#sender = undefined
    if (this.#gatheredBytes === 0) return
    const bytes = this.#gathered.length === 1 ? (this.#gathered[0] as Buffer) : Buffer.concat(this.#gathered)
    this.#gathered = []
    this.#gatheredBytes = 0
    this.viewers.output(this.#position - bytes.length, bytes)
  }

  #enqueue(step: Step): void {
    this.#steps.push(step)
    if (this.#parsing) return
    if ('act' in step || this.#unparsed >= PARSE_BYTES) this.#parse()
    else this.#parser ??= setTimeout(() => this.#parse(), PARSE_MS)
  }

  /** When all that was received until now is on the screen, and nothing more: a promise's `then` would come too late. */
  #settled<T>(look: () => T): Promise<T> {
    return new Promise(resolve => this.#enqueue({ act: () => resolve(look()) }))
  }

  #parse(): void {
    clearTimeout(this.#parser)
    this.#parser = undefined
    for (let step = this.#steps[0]; step && 'act' in step; step = this.#steps[0]) {
      this.#steps.shift()
      step.act()
    }
    const bytes = this.#nextBytes()
    this.#parsing = bytes !== undefined
    if (!bytes) return
    this.#emulator.write(bytes, () => {
      this.#unparsed -= bytes.length
      this.#flow()
      this.#parse()
    })
  }

  #nextBytes(): Buffer | undefined {
    const parts: Buffer[] = []
    let size = 0
    for (let step = this.#steps[0]; step && 'bytes' in step && size < PARSE_BYTES; step = this.#steps[0]) {
      parts.push(step.bytes)
      size += step.bytes.length
      this.#steps.shift()
    }
    return parts.length > 1 ? Buffer.concat(parts) : parts[0]
  }

  #flow(): void {
    if (this.#log.full && !this.#logIsFull) {
      this.#logIsFull = true
      void this.#log.drained().then(() => {
        this.#logIsFull = false
        this.#flow()
      })
    }
    if (!this.#paused && (this.#unparsed > HIGH_WATER || this.#logIsFull)) {
      this.#paused = true
      this.#pty.pause()
    } else if (this.#paused && this.#unparsed < LOW_WATER && !this.#logIsFull) {
      this.#paused = false
      this.#pty.resume()
    }
  }
}

function tooLong({ length }: Uint8Array): TerminalError {
  const message = `a line of ${length} bytes, where the program takes whole lines of at most ${LINE_BYTES}`
  return new TerminalError('too-long', message)
}

/** Of the mouse, or of the window that the person turned to or away from. */
function isReport(bytes: Uint8Array): boolean {
  if (bytes[0] !== ESC) return false
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  return start.startsWith('\x1b[<') || start.startsWith('\x1b[M') || start === '\x1b[I' || start === '\x1b[O'
}

function hangUp(pid: number): void {
  for (const signal of ['SIGHUP', 'SIGCONT'] as const) {
    try {
      process.kill(-pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}
