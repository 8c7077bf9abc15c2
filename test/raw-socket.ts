// A bridge's wire without a client library on it: for frames that no library would send.
import { WebSocket } from 'ws'
import { CONNECTION_HEADER, LANG_HEADER, RELAY_PROTOCOL } from '#contract/limits.ts'
import type { TestHub } from './hub.ts'

type Reply = {
  id?: number | string | null
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

export type RawOptions = {
  secret?: string
  credential?: string
  protocolVersion?: string
  capabilities?: object
  toolsets?: string
}

export class RawSocket {
  readonly socket: WebSocket
  /** The answer to its handshake. */
  greeting: Reply | undefined
  readonly #waiting = new Map<number | string, (reply: Reply) => void>()
  #number = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      const reply = JSON.parse(data.toString()) as Reply
      this.#waiting.get(reply.id ?? '')?.(reply)
    })
  }

  /** Open, and past the handshake. */
  static async open(hub: TestHub, options: RawOptions = {}): Promise<RawSocket> {
    const toolsets = options.toolsets ?? 'runner,agent,projects,planning,legacy,phases,memory'
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/bridge?toolsets=${toolsets}`, RELAY_PROTOCOL, {
      headers: {
        authorization: `Bearer ${options.credential ?? hub.token}`,
        [LANG_HEADER]: 'en',
        ...(options.secret !== undefined && { [CONNECTION_HEADER]: options.secret }),
      },
    })
    const raw = new RawSocket(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    raw.greeting = await raw.request('initialize', {
      protocolVersion: options.protocolVersion ?? '2025-11-25',
      capabilities: options.capabilities ?? {},
      clientInfo: { name: 'raw', version: '1' },
    })
    raw.send({ method: 'notifications/initialized' })
    return raw
  }

  /** `number` repeats a frame's; `id` is the JSON-RPC one. Handshakes take neither. */
  request(
    method: string,
    params: Record<string, unknown>,
    { id = `h${++this.#number}`, number }: { id?: number | string; number?: number } = {},
  ): Promise<Reply> {
    return new Promise(resolve => {
      this.#waiting.set(id, reply => {
        this.#waiting.delete(id)
        resolve(reply)
      })
      this.send({ id, method, params }, number)
    })
  }

  send(message: Record<string, unknown>, number = 1_000_000 + ++this.#number): void {
    this.socket.send(`${number} ${JSON.stringify({ jsonrpc: '2.0', ...message })}`)
  }

  async call(
    name: string,
    args: Record<string, unknown>,
    frame: { id?: number | string; number?: number } = {},
  ): Promise<Record<string, unknown>> {
    const { result, error } = await this.request('tools/call', { name, arguments: args }, frame)
    if (!result) throw new Error(JSON.stringify(error))
    const [content] = result['content'] as [{ text: string }]
    // Prose comes with what stands beside it.
    if (!content.text.startsWith('{')) return result
    return JSON.parse(content.text) as Record<string, unknown>
  }

  cut(): void {
    this.socket.terminate()
  }
}
