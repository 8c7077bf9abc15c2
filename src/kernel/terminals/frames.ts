// How hub and pty-host cut their byte stream into frames: length, kind, body. Knows no message.
export const JSON_FRAME = 0
export const OUTPUT_FRAME = 1
export const INPUT_FRAME = 2

export type Frame = { kind: number; body: Buffer }

const HEAD_BYTES = 5
/** A snapshot of a wide screen with its scrollback stays far below. */
const FRAME_BYTES = 32 * 1024 * 1024

export class FrameError extends Error {}

export function frame(kind: number, body: Uint8Array): Buffer {
  const whole = begin(kind, body.length)
  whole.set(body, HEAD_BYTES)
  return whole
}

/** Room for a body of that length. */
function begin(kind: number, length: number): Buffer {
  const whole = Buffer.allocUnsafe(HEAD_BYTES + length)
  whole.writeUInt32LE(length, 0)
  whole[4] = kind
  return whole
}

export function jsonFrame(message: unknown): Buffer {
  return frame(JSON_FRAME, Buffer.from(JSON.stringify(message)))
}

/** `number` names the terminal for as long as a connection lasts; `position` counts its bytes since it was opened. */
export function outputFrame(number: number, position: number, bytes: Uint8Array): Buffer {
  const whole = begin(OUTPUT_FRAME, 12 + bytes.length)
  whole.writeUInt32LE(number, HEAD_BYTES)
  whole.writeDoubleLE(position, HEAD_BYTES + 4)
  whole.set(bytes, HEAD_BYTES + 12)
  return whole
}

export function readOutput(body: Buffer): { number: number; position: number; bytes: Buffer } {
  if (body.length < 12) throw new FrameError('an output frame without a head')
  return { number: body.readUInt32LE(0), position: body.readDoubleLE(4), bytes: body.subarray(12) }
}

/** `request` is answered when the terminal took all; 0 is a person's, which nobody answers. */
export function inputFrame(number: number, request: number, bytes: Uint8Array): Buffer {
  const whole = begin(INPUT_FRAME, 8 + bytes.length)
  whole.writeUInt32LE(number, HEAD_BYTES)
  whole.writeUInt32LE(request, HEAD_BYTES + 4)
  whole.set(bytes, HEAD_BYTES + 8)
  return whole
}

export function readInput(body: Buffer): { number: number; request: number; bytes: Buffer } {
  if (body.length < 8) throw new FrameError('an input frame without a head')
  return { number: body.readUInt32LE(0), request: body.readUInt32LE(4), bytes: body.subarray(8) }
}

/** Bytes in, whole frames out. */
export class FrameReader {
  readonly #limit: number
  #chunks: Buffer[] = []
  #have = 0

  constructor(limit = FRAME_BYTES) {
    this.#limit = limit
  }

  *read(chunk: Buffer): Generator<Frame> {
    this.#chunks.push(chunk)
    this.#have += chunk.length
    while (this.#have >= HEAD_BYTES) {
      const head = this.#peek(HEAD_BYTES)
      const length = head.readUInt32LE(0)
      if (length > this.#limit) throw new FrameError(`a frame of ${length} bytes`)
      if (this.#have < HEAD_BYTES + length) return
      const whole = this.#take(HEAD_BYTES + length)
      yield { kind: whole[4] as number, body: whole.subarray(HEAD_BYTES) }
    }
  }

  /** Joins only as much as is asked for: a long frame in many chunks must not be copied again for each of them. */
  #peek(bytes: number): Buffer {
    const [first] = this.#chunks
    if (first && first.length >= bytes) return first
    const whole = Buffer.concat(this.#chunks)
    this.#chunks = [whole]
    return whole
  }

  #take(bytes: number): Buffer {
    const [first] = this.#chunks
    const whole = first && first.length >= bytes ? first : Buffer.concat(this.#chunks)
    if (whole !== first) this.#chunks = [whole]
    const taken = whole.subarray(0, bytes)
    const rest = whole.subarray(bytes)
    if (rest.length > 0) this.#chunks[0] = rest
    else this.#chunks.shift()
    this.#have -= bytes
    return taken
  }
}
