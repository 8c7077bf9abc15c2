// A link over WebSocket, for hubs on other machines and behind proxies.
import type { WebSocket } from 'ws'
import { dropWhenSilent } from '../web-socket.ts'
import { Congestion } from './congestion.ts'
import { type Closed, type Link, type LinkEvents, RHYTHM } from './link.ts'

export class WebSocketLink implements Link {
  readonly #socket: WebSocket
  readonly #congestion: Congestion
  readonly closed: Promise<Closed>

  constructor(socket: WebSocket, events: LinkEvents) {
    this.#socket = socket
    this.#congestion = new Congestion(
      () => socket.bufferedAmount,
      yes => events.congested(yes),
    )
    dropWhenSilent(socket, RHYTHM)
    socket.on('message', (data: Buffer) => events.frame(data.toString('utf8')))
    // A broken connection also closes; the close is what we act on.
    socket.on('error', () => {})
    this.closed = new Promise(resolve => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }))
    })
  }

  send(frame: string): void {
    this.#congestion.send(flushed => this.#socket.send(frame, flushed))
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
}
