// A link over WebSocket, for hubs on other machines and behind proxies.
import { WebSocket } from 'ws'
import { type Closed, HEARTBEAT_MS, HIGH_WATER, type Link, type LinkEvents, LOW_WATER, MISSED_BEATS } from './link.ts'

export class WebSocketLink implements Link {
  readonly #socket: WebSocket
  readonly #events: LinkEvents
  readonly closed: Promise<Closed>
  #congested = false
  #missed = 0

  constructor(socket: WebSocket, events: LinkEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('message', (data: Buffer) => {
      this.#missed = 0
      events.frame(data.toString('utf8'))
    })
    socket.on('pong', () => (this.#missed = 0))
    // A broken connection also closes; the close is what we act on.
    socket.on('error', () => {})
    const heart = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    this.closed = new Promise(resolve => {
      socket.on('close', (code, reason) => {
        clearInterval(heart)
        resolve({ code, reason: reason.toString('utf8') })
      })
    })
  }

  send(frame: string): void {
    this.#socket.send(frame, () => this.#flushed())
    if (this.#congested || this.#socket.bufferedAmount <= HIGH_WATER) return
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
    this.#socket.terminate()
  }

  #flushed(): void {
    if (!this.#congested || this.#socket.bufferedAmount > LOW_WATER) return
    this.#congested = false
    this.#events.congested(false)
  }

  /** A network that went away says nothing; a hub that hangs does not answer. */
  #beat(): void {
    if (this.#socket.isPaused || this.#socket.readyState !== WebSocket.OPEN) return
    if (++this.#missed > MISSED_BEATS) return this.terminate()
    this.#socket.ping()
  }
}
