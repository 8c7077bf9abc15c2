// All viewers, over WebSockets that the hub let in: answers their requests, and drops those that vanished without closing.
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { exitOf, type ViewerRequest } from '#kernel/terminals/protocol.ts'
import { tellEnd } from '#kernel/terminals/tell-end.ts'
import { RHYTHM, watchSocket } from '#kernel/watch-socket.ts'
import { Heartbeat } from '#system/heartbeat.ts'
import type { Host } from './host.ts'
import { serveViewer } from './viewer.ts'

/** Input that is too long is refused with an error; what is longer than this is not even read. */
const MESSAGE_BYTES = 1024 * 1024
/** How long a viewer that knows of the end may take to close. */
const CLOSE_MS = 1000

export class Viewers {
  readonly #host: Host
  readonly #changed: (count: number) => void
  readonly #heart = new Heartbeat(RHYTHM)
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    autoPong: false,
    // A key must not wait for the next turn; viewer.ts sees to it that a flood of them costs no more than one.
    allowSynchronousEvents: true,
    handleProtocols: () => TERMINAL_PROTOCOL,
  })

  constructor(host: Host, changed: (count: number) => void) {
    this.#host = host
    this.#changed = changed
  }

  get size(): number {
    return this.#server.clients.size
  }

  /** The request is answered here; until then the viewer is silent. */
  welcome(socket: Socket, { terminal, headers, exit, ...options }: ViewerRequest, head: Buffer): void {
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/', headers })
    this.#server.handleUpgrade(request, socket, head, client => {
      this.#watch(client)
      const hosted = this.#host.find(terminal)
      if (hosted) return serveViewer(hosted, client, options)
      // So many have ended since that its screen was given up.
      if (exit) return tellEnd(client, exitOf(exit))
      client.send(JSON.stringify({ type: 'notice', code: 'no-terminal' }))
      client.close(1011, `terminal ${terminal} not found`)
    })
  }

  /** Settles when every viewer has got everything, or does not read. */
  async close(): Promise<void> {
    const deadline = setTimeout(() => {
      for (const client of this.#server.clients) client.terminate()
    }, CLOSE_MS)
    for (const client of this.#server.clients) client.close(1001, 'the terminals are ended')
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
    clearTimeout(deadline)
  }

  #watch(client: WebSocket): void {
    watchSocket(client, { heart: this.#heart, closeMs: CLOSE_MS })
    this.#changed(this.size)
    client.on('close', () => this.#changed(this.size))
  }
}
