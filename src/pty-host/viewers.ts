// All who look on, over WebSockets that the hub let in: answers their requests, and cuts off who has gone without a word.
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { answerPings } from '#kernel/answer-pings.ts'
import { exitOf, type Visit } from '#kernel/terminals/protocol.ts'
import { tellEnd } from '#kernel/terminals/tell-end.ts'
import type { Host } from './host.ts'
import { serveViewer } from './viewer.ts'

const PING_MS = 10_000
/** Input that is too long is told so; what is longer than this is not even read. */
const MESSAGE_BYTES = 1024 * 1024
/** Who was told of the end and does not close is not waited for any longer. */
const CLOSE_MS = 1000

export class Viewers {
  readonly #host: Host
  readonly #changed: (count: number) => void
  readonly #alive = new Set<WebSocket>()
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
    // Two turns later: after a time in which we were held up ourselves, what came meanwhile is read first, then handed out.
    setInterval(() => setImmediate(() => setImmediate(() => this.#ping())), PING_MS).unref()
  }

  get size(): number {
    return this.#server.clients.size
  }

  /** The request is answered here; until then the guest is silent. */
  welcome(socket: Socket, { terminal, headers, exit, ...options }: Visit, head: Buffer): void {
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/', headers })
    this.#server.handleUpgrade(request, socket, head, client => {
      this.#watch(client)
      const hosted = this.#host.find(terminal)
      if (hosted) return serveViewer(hosted, client, options)
      // So many have ended since that its screen was given up.
      if (exit) return tellEnd(client, exitOf(exit))
      client.send(JSON.stringify({ type: 'notice', code: 'no-terminal' }))
      client.close(1011, `there is no terminal ${terminal}`)
    })
  }

  /** Settles when everybody has been told all that there was to tell, or does not listen. */
  async close(): Promise<void> {
    const deadline = setTimeout(() => {
      for (const client of this.#server.clients) client.terminate()
    }, CLOSE_MS)
    for (const client of this.#server.clients) client.close(1001, 'the terminals are ended')
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
    clearTimeout(deadline)
  }

  #watch(client: WebSocket): void {
    this.#alive.add(client)
    answerPings(client)
    this.#changed(this.size)
    // A message, too: the answer to a ping stands behind all that was sent before it.
    for (const sign of ['pong', 'message']) client.on(sign, () => this.#alive.add(client))
    // It closes itself, with a code that tells the peer why; cutting it off here would swallow that.
    client.on('error', () => setTimeout(() => client.terminate(), CLOSE_MS).unref())
    client.on('close', () => {
      this.#alive.delete(client)
      this.#changed(this.size)
    })
  }

  /** Who said nothing since the last ping is gone, whatever the socket says. */
  #ping(): void {
    for (const client of this.#server.clients) {
      if (!this.#alive.delete(client)) client.terminate()
      else client.ping()
    }
  }
}
