// Cuts a byte stream into lines, whatever the pieces it comes in. Owns what is not yet a whole line, and never holds more than
// `keep` bytes of it. Must not know what a line says: it is not even decoded here, since a piece may end inside a character.

const LF = 0x0a
const CR = 0x0d
/** Many small pieces cost more than one. */
const PIECES = 1024

export type Lines = {
  /** One line without its line break. May be blank. `chunk`: the piece that holds all of it, where one does. */
  line(bytes: Buffer, chunk?: Buffer): void
  /** A line over `limit`; of one over `keep` only the beginning, which is then shorter than `size`. */
  oversize(bytes: Buffer, size: number): void
}

export class LineSplitter {
  readonly #limit: number
  readonly #keep: number
  readonly #lines: Lines
  #parts: Buffer[] = []
  #kept = 0
  #size = 0

  constructor(limit: number, keep: number, lines: Lines) {
    this.#limit = limit
    this.#keep = keep
    this.#lines = lines
  }

  /** How long the line is that has not ended yet, as far as it has come. */
  get pending(): number {
    return this.#size
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.take(chunk, at)
  }

  /** One line at most, for callers that let others have their turn. Returns where the chunk goes on. */
  take(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(LF, from)
    if (end === -1) {
      // The rest of a chunk is copied: the lines before it must not stay in memory for its sake.
      this.#hold(from === 0 ? chunk : Buffer.from(chunk.subarray(from)))
      return chunk.length
    }
    // Nearly always a line comes in one piece.
    if (this.#size === 0 && end - from <= this.#keep) this.#whole(chunk.subarray(from, end), chunk)
    else {
      this.#hold(chunk.subarray(from, end))
      this.#finish()
    }
    return end + 1
  }

  /** What came after the last line break is a line, too. */
  end(): void {
    if (this.#size > 0) this.#finish()
  }

  #hold(part: Buffer): void {
    const room = this.#keep - this.#kept
    this.#size += part.length
    if (room <= 0 || part.length === 0) return
    const kept = part.length <= room ? part : part.subarray(0, room)
    this.#kept += kept.length
    this.#parts.push(kept)
    if (this.#parts.length > PIECES) this.#parts = [Buffer.concat(this.#parts, this.#kept)]
  }

  #finish(): void {
    const [size, parts, kept] = [this.#size, this.#parts, this.#kept]
    this.#parts = []
    this.#kept = 0
    this.#size = 0
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, kept)
    if (size > this.#keep) return this.#lines.oversize(bytes, size)
    this.#whole(bytes)
  }

  #whole(line: Buffer, chunk?: Buffer): void {
    const bytes = line[line.length - 1] === CR ? line.subarray(0, -1) : line
    if (bytes.length > this.#limit) return this.#lines.oversize(bytes, bytes.length)
    this.#lines.line(bytes, chunk)
  }
}
