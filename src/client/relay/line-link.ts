// A link whose frames are lines, for a hub on this machine (the other end is the hub's line-socket.ts).
import type { Duplex } from 'node:stream'
import { LineSplitter } from './line-splitter.ts'
import {
  ABNORMAL,
  type Closed,
  FROM_HUB_BYTES,
  HEARTBEAT_MS,
  HIGH_WATER,
  type Link,
  type LinkEvents,
  LOW_WATER,
  MISSED_BEATS,
} from './link.ts'

export class LineLink implements Link {
  readonly #socket: Duplex
  readonly #events: LinkEvents
  readonly closed: Promise<Closed>
  #farewell: Closed = { code: ABNORMAL, reason: '' }
  #congested = false
  #missed = 0

  constructor(socket: Duplex, head: Buffer, events: LinkEvents) {
    this.#socket = socket
    this.#events = events
    const lines = new LineSplitter(FROM_HUB_BYTES, FROM_HUB_BYTES, {
      line: bytes => this.#line(bytes.toString('utf8')),
      oversize: () => this.terminate(),
    })
    // A broken connection also closes; the close is what we act on.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    if (head.length > 0) socket.unshift(head)
    socket.on('data', (chunk: Buffer) => lines.push(chunk))
    const heart = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    this.closed = new Promise(resolve => {
      socket.on('close', () => {
        clearInterval(heart)
        resolve(this.#farewell)
      })
    })
  }

  send(frame: string): void {
    this.#socket.write(`${frame}\n`, () => this.#flushed())
    if (this.#congested || this.#socket.writableLength <= HIGH_WATER) return
    this.#congested = true
    this.#events.congested(true)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  terminate(): void {
    this.#socket.destroy()
  }

  #line(text: string): void {
    this.#missed = 0
    if (text.startsWith('{')) return this.#events.frame(text)
    if (text === '?') return void this.#socket.write('!\n')
    const [, code, reason = ''] = /^bye (\d{4}) (.*)$/.exec(text) ?? []
    if (code !== undefined) this.#farewell = { code: Number(code), reason }
  }

  #flushed(): void {
    if (!this.#congested || this.#socket.writableLength > LOW_WATER) return
    this.#congested = false
    this.#events.congested(false)
  }

  /** A hub that hangs does not answer. */
  #beat(): void {
    if (this.#socket.isPaused() || !this.#socket.writable) return
    if (++this.#missed > MISSED_BEATS) return this.terminate()
    this.#socket.write('?\n')
  }
}
