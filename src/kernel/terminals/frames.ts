// How hub and pty-host cut their byte stream into frames: length, kind, body. There is one kind, JSON; knows no message.
const JSON_FRAME = 0

const HEAD_BYTES = 5
/** The longest line of the hub's own, and a program with all its arguments and environment, stay far below. */
export const FRAME_BYTES = 32 * 1024 * 1024

class FrameError extends Error {}

export function frame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const whole = Buffer.allocUnsafe(HEAD_BYTES + body.length)
  whole.writeUInt32LE(body.length, 0)
  whole[4] = JSON_FRAME
  whole.set(body, HEAD_BYTES)
  return whole
}

/** Bytes in, messages out. */
export class FrameReader {
  /** Of one frame. */
  limit: number
  #chunks: Buffer[] = []
  #have = 0

  constructor(limit = FRAME_BYTES) {
    this.limit = limit
  }

  *read(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk)
    this.#have += chunk.length
    while (this.#have >= HEAD_BYTES) {
      const head = this.#peek(HEAD_BYTES)
      const length = head.readUInt32LE(0)
      if (length > this.limit) throw new FrameError(`a frame of ${length} bytes`)
      if (this.#have < HEAD_BYTES + length) return
      const whole = this.#take(HEAD_BYTES + length)
      if (whole[4] !== JSON_FRAME) throw new FrameError(`a frame of kind ${whole[4]}`)
      yield JSON.parse(whole.toString('utf8', HEAD_BYTES))
    }
  }

  /** What came behind the last frame, when no frame follows it. */
  rest(): Buffer {
    return this.#have > 0 ? this.#take(this.#have) : Buffer.alloc(0)
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
