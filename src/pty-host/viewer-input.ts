// What a person types, without what their terminal says on its own. Programs ask terminals questions (who are you, where is
// the cursor); each viewer's terminal sees them and answers, but only the host's emulator may: otherwise the program would read
// as many answers as there are viewers, some of them made by the program that chose the question.

const ESC = 0x1b
const BACKSLASH = 0x5c
const BELL = 0x07
/** A sequence that a terminal sends comes in one piece; a person who presses Escape sends nothing for longer than this. */
const HOLD_MS = 50
const HOLD_BYTES = 4096
const NOTHING: Buffer = Buffer.alloc(0)

/** After `ESC`: what begins a string that ends with `ESC \`, all of which are answers. */
const STRINGS = new Set(Buffer.from('P]X^_'))
/**
 * After `ESC [`: device attributes (c), status (n), cursor position (R), modes ($y), window reports (t), settings (x), keyboard
 * flags (?…u), and the answer to "which terminal" is a string. `R` is also F3 with a modifier: safety wins.
 */
const ANSWER = /^(?:[?>=]?[\d;:]*(?:c|n|t|x)|\??[\d;:]+R|\??[\d;:]*\$y|\?[\d;:]*u)$/

export class ViewerInput {
  readonly #pass: (bytes: Buffer) => void
  #held: Buffer = NOTHING
  #timer: NodeJS.Timeout | undefined

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  push(bytes: Uint8Array): void {
    clearTimeout(this.#timer)
    const fresh = withoutC1(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes))
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, fresh]) : fresh
    const { kept, rest } = withoutAnswers(all)
    this.#held = rest
    if (rest.length > HOLD_BYTES) this.#giveUp()
    else if (rest.length > 0) this.#timer = setTimeout(() => this.#giveUp(), HOLD_MS)
    if (kept.length > 0) this.#pass(kept)
  }

  dispose(): void {
    clearTimeout(this.#timer)
  }

  /** Escape, or Alt with a bracket, was pressed; no person types more than that without the rest. */
  #giveUp(): void {
    const held = this.#held
    this.#held = NOTHING
    if (held.length <= 2) this.#pass(held)
  }
}

/** A terminal can be set to write `ESC [` as one character. No person types that character, so it counts as `ESC [`. */
function withoutC1(bytes: Buffer): Buffer {
  if (!bytes.includes(0xc2)) return bytes
  const out = Buffer.from(bytes)
  for (let at = out.indexOf(0xc2); at !== -1 && at + 1 < out.length; at = out.indexOf(0xc2, at + 1)) {
    const next = out[at + 1] as number
    if (next >= 0x80 && next <= 0x9f) out.set([ESC, next - 0x40], at)
  }
  return out
}

/** What is to be passed on, and the beginning of a sequence whose end has not come yet. */
export function withoutAnswers(bytes: Buffer): { kept: Buffer; rest: Buffer } {
  const kept: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at)) {
    const end = endOf(bytes, at)
    if (end === undefined)
      return { kept: Buffer.concat([...kept, bytes.subarray(from, at)]), rest: Buffer.from(bytes.subarray(at)) }
    if (isAnswer(bytes.subarray(at, end))) {
      kept.push(bytes.subarray(from, at))
      from = end
    }
    at = end
  }
  return { kept: from === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]), rest: NOTHING }
}

/** One past the last byte of the sequence that begins here. */
function endOf(bytes: Buffer, at: number): number | undefined {
  const next = bytes[at + 1]
  if (next === undefined) return undefined
  if (next === ESC) return at + 1
  if (next === 0x5b) return endOfCsi(bytes, at)
  if (STRINGS.has(next)) return endOfString(bytes, at)
  return at + 2
}

function endOfCsi(bytes: Buffer, at: number): number | undefined {
  for (let end = at + 2; end < bytes.length; end++) {
    const byte = bytes[end] as number
    if (byte >= 0x20 && byte <= 0x3f) continue
    // A mouse report of the oldest kind: three bytes follow, whatever they are.
    if (byte === 0x4d && end === at + 2) return bytes.length >= end + 4 ? end + 4 : undefined
    // Not part of any sequence: what came before it was none.
    return byte >= 0x40 && byte <= 0x7e ? end + 1 : end
  }
  return undefined
}

function endOfString(bytes: Buffer, at: number): number | undefined {
  for (let end = at + 2; end < bytes.length; end++) {
    if (bytes[end] === BELL) return end + 1
    if (bytes[end] !== ESC) continue
    if (end + 1 === bytes.length) return undefined
    return bytes[end + 1] === BACKSLASH ? end + 2 : end
  }
  return undefined
}

function isAnswer(sequence: Buffer): boolean {
  if (STRINGS.has(sequence[1] as number)) return sequence.length > 2
  return sequence[1] === 0x5b && ANSWER.test(sequence.subarray(2).toString('latin1'))
}
