// Cuts a byte stream into lines. Owns what is not yet a whole line; never holds more than `keep` bytes of it.

const LF = 0x0a
const CR = 0x0d

export type Lines = {
  /** One line without its line break. May be blank. */
  line(bytes: Buffer): void
  /** A line over `limit`: the whole of it, or undefined when it is over `keep`, too. */
  oversize(bytes: Buffer | undefined, size: number): void
}

export class LineSplitter {
  readonly #limit: number
  readonly #keep: number
  readonly #lines: Lines
  #parts: Buffer[] = []
  #size = 0

  constructor(limit: number, keep: number, lines: Lines) {
    this.#limit = limit
    this.#keep = keep
    this.#lines = lines
  }

  push(chunk: Buffer): void {
    let from = 0
    const first = chunk.indexOf(LF)
    // Nearly always a chunk is a line.
    if (this.#size === 0 && first !== -1 && first === chunk.length - 1 && first <= this.#keep)
      return this.#whole(chunk.subarray(0, first))
    for (let end = first; end !== -1; end = chunk.indexOf(LF, from)) {
      this.#hold(chunk.subarray(from, end))
      this.#finish()
      from = end + 1
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from))
  }

  #hold(part: Buffer): void {
    this.#size += part.length
    if (this.#size <= this.#keep) this.#parts.push(part)
    // Too long to be of use: the rest is only counted, up to the line break.
    if (this.#size > this.#keep) this.#parts = []
  }

  #finish(): void {
    const size = this.#size
    const parts = this.#parts
    this.#parts = []
    this.#size = 0
    if (size > this.#keep) return this.#lines.oversize(undefined, size)
    this.#whole(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size))
  }

  #whole(line: Buffer): void {
    const bytes = withoutCr(line)
    if (bytes.length > this.#limit) return this.#lines.oversize(bytes, bytes.length)
    this.#lines.line(bytes)
  }
}

function withoutCr(bytes: Buffer): Buffer {
  return bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes
}
