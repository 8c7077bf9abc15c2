// A link over WebSocket, for hubs on other machines and behind proxies.
import { WebSocket } from 'ws'
import { Heartbeat } from '#system/heartbeat.ts'
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
    const heart = new Heartbeat(RHYTHM)
    const pulse = heart.watch({
      ask: () => socket.ping(),
      lost: () => this.terminate(),
      isReady: () => !socket.isPaused && socket.readyState === WebSocket.OPEN,
    })
    socket.on('message', (data: Buffer) => {
      pulse.heard()
      events.frame(data.toString('utf8'))
    })
    socket.on('pong', () => pulse.heard())
    // A broken connection also closes; the close is what we act on.
    socket.on('error', () => {})
    this.closed = new Promise(resolve => {
      socket.on('close', (code, reason) => {
        heart.stop()
        resolve({ code, reason: reason.toString('utf8') })
      })
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
