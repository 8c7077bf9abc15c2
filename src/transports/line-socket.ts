// The hub's end of a bridge whose frames are lines: on this machine nothing stands between the two that would need
// WebSocket's framing, and half of its cost is ours. What is said besides frames: `?` asks whether the other end lives, `!`
// says so, `bye <code> <reason>` comes before the end.
import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import type { RelayEnds, RelaySocket } from './mcp/relay.ts'

const LF = 0x0a
const ASKS = 0x3f
const ANSWERS = 0x21
const TOO_LONG = 1009
const NOT_TEXT = 1007
/** A peer that was told to go and does not is not waited for any longer. */
const CLOSE_MS = 5_000

export class LineSocket implements RelaySocket {
  readonly numbered = true
  readonly #socket: Duplex
  readonly #longest: number
  #ends: RelayEnds | undefined
  /** The beginning of a line whose end has not come yet. */
  #parts: Buffer[] = []
  #size = 0
  #alive = true
  #leaving = false

  constructor(socket: Duplex, longest: number) {
    this.#socket = socket
    this.#longest = longest
  }

  get isOpen(): boolean {
    return !this.#leaving && this.#socket.writable
  }

  get unsent(): number {
    return this.#socket.writableLength
  }

  listen(ends: RelayEnds, head: Buffer): void {
    this.#ends = ends
    this.#socket.on('error', error => ends.error(error))
    this.#socket.on('close', () => ends.close())
    this.#socket.on('end', () => this.#socket.end())
    if (head.length > 0) this.#socket.unshift(head)
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  send(text: string): void {
    this.#socket.write(`${text}\n`)
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return
    this.#leaving = true
    this.#socket.end(`bye ${code} ${reason}\n`)
    setTimeout(() => this.#socket.destroy(), CLOSE_MS).unref()
  }

  terminate(): void {
    this.#socket.destroy()
  }

  /** A peer that said nothing since it was asked last is gone, whatever its socket says. */
  ping(): void {
    if (!this.#alive) return this.terminate()
    this.#alive = false
    if (this.isOpen) this.#socket.write('?\n')
  }

  #receive(chunk: Buffer): void {
    this.#alive = true
    // What comes after our farewell is for the next hub.
    if (this.#leaving) return
    const end = chunk.indexOf(LF)
    // Nearly always a chunk is a line.
    if (this.#size === 0 && end === chunk.length - 1) return this.#line(chunk.subarray(0, end))
    if (end === -1) {
      this.#parts.push(chunk)
      this.#size += chunk.length
      if (this.#size > this.#longest) this.close(TOO_LONG, 'a line is too long')
      return
    }
    // One line of a connection a turn: a flood of tiny ones must not keep all others waiting.
    this.#socket.pause()
    const rest = chunk.subarray(end + 1)
    const line = Buffer.concat([...this.#parts, chunk.subarray(0, end)])
    this.#parts = []
    this.#size = 0
    this.#line(line)
    setImmediate(() => {
      if (this.#socket.destroyed) return
      this.#socket.resume()
      if (rest.length > 0) this.#receive(rest)
    })
  }

  #line(bytes: Buffer): void {
    if (bytes.length === 1 && bytes[0] === ANSWERS) return
    if (bytes.length === 1 && bytes[0] === ASKS) {
      if (this.isOpen) this.#socket.write('!\n')
      return
    }
    if (!isUtf8(bytes)) return this.close(NOT_TEXT, 'text only')
    this.#ends?.message(bytes, false)
  }
}
