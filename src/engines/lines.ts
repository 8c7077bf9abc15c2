// Cuts a stream of bytes into lines, whatever the pieces it comes in. A line that is too long is cut, the rest of it skipped.

export type Line = { text: string; whole: boolean; valid: boolean }

const LINE_BYTES = 1024 * 1024
const NEWLINE = 0x0a

export class LineSplitter {
  readonly #limit: number
  /** The beginning of the line that has not ended yet. Decoded only as a whole: a character may be split between pieces. */
  #parts: Buffer[] = []
  #length = 0
  #cut = false

  constructor(limit = LINE_BYTES) {
    this.#limit = limit
  }

  *push(bytes: Uint8Array): Generator<Line> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let from = 0
    for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, from)) {
      this.#keep(buffer.subarray(from, at))
      yield this.#take()
      from = at + 1
    }
    this.#keep(buffer.subarray(from))
  }

  /** What came after the last end of a line. */
  *end(): Generator<Line> {
    if (this.#length > 0) yield this.#take()
  }

  #keep(part: Buffer): void {
    const room = this.#limit - this.#length
    if (part.length > room) this.#cut = true
    const kept = part.subarray(0, room)
    if (kept.length === 0) return
    // A copy: the piece it is part of may be large, and must not stay in memory for its sake.
    this.#parts.push(Buffer.from(kept))
    this.#length += kept.length
    // Many small pieces cost more than one.
    if (this.#parts.length > 1024) this.#parts = [Buffer.concat(this.#parts)]
  }

  #take(): Line {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
    const whole = !this.#cut
    this.#parts = []
    this.#length = 0
    this.#cut = false
    const text = bytes.toString('utf8')
    // The replacement character appears for bytes that are no UTF-8; one that was really sent is rare enough to compare.
    const valid = !text.includes('\uFFFD') || Buffer.from(text, 'utf8').equals(bytes)
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, whole, valid }
  }
}
