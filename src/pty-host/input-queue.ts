// What waits to be typed into one terminal: in order, with a cap, at the pace of the program that reads it. A program that
// does not read costs a look now and then, not a processor.
import { TerminalError, type TerminalProblem } from '#kernel/terminals/terminals.ts'

export type InputQueueOptions = {
  /** Takes as many of the bytes as fit now, possibly none. */
  take(bytes: Uint8Array): number
  capBytes?: number
  /** Not one byte was taken for so long: all that waits is given up. */
  stallMs?: number
}

type Entry = { bytes: Uint8Array; done: ((error?: TerminalError) => void) | undefined }

const CAP_BYTES = 256 * 1024
/** Answers of the emulator; a program that asks for them and never reads must not fill our memory. */
const REPLY_CAP_BYTES = 16 * 1024
const STALL_MS = 30_000
const CHUNK_BYTES = 4096
const PAUSE_MS = 2
const LONG_PAUSE_MS = 50

export class InputQueue {
  readonly #options: Required<InputQueueOptions>
  #entries: Entry[] = []
  #bytes = 0
  /** Of the first entry. */
  #taken = 0
  #timer: NodeJS.Timeout | undefined
  #pause = PAUSE_MS
  #movedAt = 0
  #closed: TerminalProblem | undefined

  constructor(options: InputQueueOptions) {
    this.#options = { capBytes: CAP_BYTES, stallMs: STALL_MS, ...options }
  }

  /** Calls `done` once: when the terminal took all of it, or will not. */
  push(bytes: Uint8Array, done?: (error?: TerminalError) => void): void {
    if (this.#closed) return done?.(problem(this.#closed))
    if (this.#bytes + bytes.length > this.#options.capBytes) return done?.(problem('full'))
    this.#entries.push({ bytes, done })
    this.#added(bytes)
  }

  /** An answer to a question of the program itself: before what others typed, but not into the middle of it. */
  reply(bytes: Uint8Array): void {
    if (this.#closed || this.#bytes + bytes.length > REPLY_CAP_BYTES) return
    this.#entries.splice(this.#taken > 0 ? 1 : 0, 0, { bytes, done: undefined })
    this.#added(bytes)
  }

  /** The program does not read any more. */
  close(): void {
    this.#giveUp('ended')
    this.#closed = 'ended'
  }

  #added(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    if (this.#timer === undefined) {
      this.#movedAt = performance.now()
      this.#work()
    }
  }

  #work(): void {
    this.#timer = undefined
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      const rest = entry.bytes.subarray(this.#taken, endOfPiece(entry.bytes, this.#taken + CHUNK_BYTES))
      const took = rest.length === 0 ? 0 : this.#options.take(rest)
      this.#taken += took
      this.#bytes -= took
      if (took > 0) {
        this.#movedAt = performance.now()
        this.#pause = PAUSE_MS
      }
      if (this.#taken === entry.bytes.length) {
        this.#entries.shift()
        this.#taken = 0
        entry.done?.()
        continue
      }
      if (took < rest.length) return this.#wait()
    }
  }

  #wait(): void {
    if (performance.now() - this.#movedAt > this.#options.stallMs) return this.#giveUp('stalled')
    this.#timer = setTimeout(() => this.#work(), this.#pause)
    this.#pause = Math.min(this.#pause * 2, LONG_PAUSE_MS)
  }

  #giveUp(why: TerminalProblem): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const entries = this.#entries
    this.#entries = []
    this.#bytes = 0
    this.#taken = 0
    for (const { done } of entries) done?.(problem(why))
  }
}

/** Not in the middle of a character of UTF-8, where there is another place nearby. */
function endOfPiece(bytes: Uint8Array, end: number): number {
  for (let at = end; at > end - 4; at--) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at
  return end
}

function problem(what: TerminalProblem): TerminalError {
  return new TerminalError(what, SENTENCES[what] ?? what)
}

const SENTENCES: Partial<Record<TerminalProblem, string>> = {
  full: 'too much input is waiting already',
  stalled: 'the program does not read its input',
  ended: 'the program has ended',
}
