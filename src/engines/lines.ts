// A program's output as lines of text. One that is too long is cut, the rest of it skipped.
import { LineSplitter } from '#system/line-splitter.ts'

export type Line = { text: string; whole: boolean; valid: boolean }

const LINE_BYTES = 1024 * 1024

export class TextLines {
  #found: Line[] = []
  readonly #splitter: LineSplitter

  constructor(limit = LINE_BYTES) {
    this.#splitter = new LineSplitter(limit, limit, {
      line: bytes => this.#found.push(lineOf(bytes, true)),
      oversize: bytes => this.#found.push(lineOf(bytes, false)),
    })
  }

  push(bytes: Uint8Array): Line[] {
    this.#splitter.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return this.#take()
  }

  /** What came after the last end of a line. */
  end(): Line[] {
    this.#splitter.end()
    return this.#take()
  }

  #take(): Line[] {
    const found = this.#found
    this.#found = []
    return found
  }
}

function lineOf(bytes: Buffer, whole: boolean): Line {
  const text = bytes.toString('utf8')
  // The replacement character appears for bytes that are no UTF-8; one that was really sent is rare enough to compare.
  const valid = !text.includes('\uFFFD') || Buffer.from(text, 'utf8').equals(bytes)
  return { text, whole, valid }
}
