import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { WebSocket } from 'ws'
import { RELAY_PROTOCOL } from '#contract/limits.ts'

/** What a bridge is to the hub, for a real MCP client in the test's own process. */
export class FrameClientTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #socket: WebSocket
  #number: number

  /** A bridge that comes back goes on counting its frames where it was; one that sends a call again repeats the number. */
  constructor(url: string, headers: Record<string, string>, framesBefore = 0) {
    this.#number = framesBefore
    this.#socket = new WebSocket(url, RELAY_PROTOCOL, { headers, maxPayload: 16 * 1024 * 1024 })
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('open', resolve)
      this.#socket.once('error', reject)
      this.#socket.on('error', error => this.onerror?.(error))
      this.#socket.on('close', () => this.onclose?.())
      this.#socket.on('message', (data: Buffer) => this.onmessage?.(JSON.parse(data.toString()) as JSONRPCMessage))
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket.send(`${++this.#number} ${JSON.stringify(message)}`)
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise(resolve => this.#socket.once('close', resolve))
    this.#socket.close()
    await closed
  }
}
