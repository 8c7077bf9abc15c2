// The hub's end of a bridge whose frames are lines: on this machine nothing stands between the two that would need
// WebSocket's framing, and half of its cost is ours. What is said besides frames: `?` asks whether the other end lives, `!`
// says so, `bye <code> <reason>` comes before the end.
import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import type { Heartbeat, Pulse } from '#system/heartbeat.ts'
import { LineSplitter } from '#system/line-splitter.ts'
import type { FrameSocketEvents, FrameSocket } from './mcp/frame-connection.ts'

const ASKS = 0x3f
const ANSWERS = 0x21
const TOO_LONG = 1009
const NOT_TEXT = 1007
/** How long a peer may take to close after it was asked to. */
const CLOSE_MS = 5_000

export class LineSocket implements FrameSocket {
  readonly numbered = true
  readonly #socket: Duplex
  readonly #longest: number
  #events: FrameSocketEvents | undefined
  readonly #lines: LineSplitter
  readonly #pulse: Pulse
  #leaving = false

  constructor(socket: Duplex, longest: number, heart: Heartbeat) {
    this.#socket = socket
    this.#longest = longest
    this.#lines = new LineSplitter(longest, longest, {
      line: bytes => this.#line(bytes),
      oversize: () => this.#refuse(),
    })
    this.#pulse = heart.watch({
      ask: () => {
        if (this.isOpen) socket.write('?\n')
      },
      lost: () => this.terminate(),
    })
    socket.on('close', () => this.#pulse.end())
  }

  get isOpen(): boolean {
    return !this.#leaving && this.#socket.writable
  }

  get unsent(): number {
    return this.#socket.writableLength
  }

  listen(events: FrameSocketEvents, head: Buffer): void {
    this.#events = events
    this.#socket.on('error', error => events.error(error))
    this.#socket.on('close', () => events.close())
    this.#socket.on('end', () => this.#socket.end())
    if (head.length > 0) this.#socket.unshift(head)
    this.#socket.on('data', (chunk: Buffer) => {
      this.#pulse.heard()
      this.#receive(chunk)
    })
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

  #receive(chunk: Buffer, from = 0): void {
    // What comes after our farewell is for the next hub.
    if (this.#leaving) return
    const next = this.#lines.take(chunk, from)
    if (this.#lines.pending > this.#longest) return this.#refuse()
    if (next === chunk.length) return
    // One line of a connection a turn: a flood of tiny ones must not keep all others waiting.
    this.#socket.pause()
    setImmediate(() => {
      if (this.#socket.destroyed) return
      this.#socket.resume()
      this.#receive(chunk, next)
    })
  }

  #refuse(): void {
    this.close(TOO_LONG, 'a line is too long')
  }

  #line(bytes: Buffer): void {
    if (bytes.length === 1 && bytes[0] === ANSWERS) return
    if (bytes.length === 1 && bytes[0] === ASKS) {
      if (this.isOpen) this.#socket.write('!\n')
      return
    }
    if (!isUtf8(bytes)) return this.close(NOT_TEXT, 'text only')
    this.#events?.message(bytes, false)
  }
}
