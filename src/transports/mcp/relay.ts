// The hub's end of a bridge: one socket, one MCP server. Frames are `<n> <JSON-RPC>` under the relay protocol, so that
// a call that is sent again after a cut is known by its number; a client without it sends plain JSON-RPC.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import { FRAME_BYTES } from '#contract/limits.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Connection } from '#kernel/tool.ts'
import type { Hub } from '../hub.ts'
import { INVALID_REQUEST, parseRpc, type RpcMessage, rpcError } from '../json-rpc.ts'
import { wrongParams } from './params.ts'
import { type Instance, mcpServer, type Peer, toolNames } from './server.ts'
import { type CallEnds, ToolCalls } from './tool-calls.ts'

/** A client that does not read is cut off before its answers fill the hub's memory. */
const UNSENT_BYTES = 32 * 1024 * 1024
/**
 * Unanswered at a time on one connection, and their bytes: they are held in memory. Calls meet their quota long before this and
 * are refused in words that their toolset knows.
 */
const REQUESTS = 4096
const WAITING_BYTES = 32 * 1024 * 1024
const TOO_MANY = -32000
/** A frame's number comes on top of its message. */
const FRAME_OVERHEAD = 32

/** What carries the frames: a WebSocket, or lines. */
export interface RelaySocket {
  /** Frames begin with their number. */
  readonly numbered: boolean
  readonly isOpen: boolean
  /** Bytes that the other end has not taken yet. */
  readonly unsent: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
}

/** What a socket tells of itself. */
export type RelayEnds = {
  message(data: Buffer, isBinary: boolean): void
  close(): void
  error(error: Error): void
}

export type RelayOptions = {
  /** What the connection's credential makes of it. */
  readonly credential: Caller
  /** The agent that signed in on it before it was cut. */
  readonly identity: Caller | undefined
  readonly secret: string
  readonly offer: Offer
  readonly lang: Lang
  readonly directory?: string
}

export type Relay = {
  /** What the socket is to call. */
  readonly ends: RelayEnds
  readonly secret: string
  readonly caller: Caller
  touched(uri: string): void
  close(): Promise<void>
}

export function serveRelay<S>(hub: Hub<S>, socket: RelaySocket, options: RelayOptions): Relay {
  let identity = options.identity
  const transport = new RelayTransport(socket)
  const connection: Connection = {
    secret: options.secret,
    opener: options.credential,
    ...(options.directory !== undefined && { directory: options.directory }),
    become: caller => {
      const before = toolNames(hub, peer)
      identity = caller
      if (toolNames(hub, peer) !== before) instance?.toolsChanged()
    },
  }
  const peer: Peer = {
    offer: options.offer,
    lang: options.lang,
    connection,
    caller: () => identity ?? options.credential,
    keyOf: id => {
      const number = transport.numberOf(id)
      // The secret itself, not its digest: it is what seals the stored answer.
      return number === undefined ? undefined : `${options.secret}:${number}`
    },
    keyScope: options.secret,
  }
  const calls = new ToolCalls(hub, peer, transport)
  let instance: Instance | undefined
  const handle = serveStdio(
    ({ era }) => {
      instance = mcpServer(hub, peer, era)
      // The newer protocol puts more into each request and answer than we want to know.
      if (era === 'legacy') transport.afterHandshake(message => calls.take(message))
      return instance.server
    },
    { transport, onerror: error => hub.log.debug({ err: error }, 'a relay connection reported an error') },
  )
  return {
    ends: {
      message: (data, isBinary) => transport.receive(data, isBinary),
      close: () => {
        calls.dispose()
        transport.onclose?.()
      },
      error: error => transport.onerror?.(error),
    },
    secret: options.secret,
    get caller() {
      return peer.caller()
    },
    touched: uri => instance?.touched(uri),
    close: () => handle.close(),
  }
}

class RelayTransport implements Transport, CallEnds {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #socket: RelaySocket
  /** Each request that is not answered yet, with the number of its frame where frames have one. */
  readonly #waiting = new Map<string | number, { number: number | undefined; bytes: number }>()
  #waitingBytes = 0
  #handshake: string | number | undefined
  #shaken = false
  #shortcut: (message: RpcMessage) => boolean = () => false

  constructor(socket: RelaySocket) {
    this.#socket = socket
  }

  numberOf(id: string | number): number | undefined {
    return this.#waiting.get(id)?.number
  }

  /** The socket speaks only when it is listened to, which is when all this stands. */
  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && message.id !== undefined && !('method' in message)) this.settled(message.id)
    if ('result' in message && message.id === this.#handshake) this.#shaken = true
    this.write(JSON.stringify(message))
  }

  settled(id: string | number): void {
    this.#waitingBytes -= this.#waiting.get(id)?.bytes ?? 0
    this.#waiting.delete(id)
  }

  /** Once the client has its handshake, what `take` takes does not go to the SDK. */
  afterHandshake(take: (message: RpcMessage) => boolean): void {
    this.#shortcut = take
  }

  async close(): Promise<void> {
    this.#socket.close(1001, 'the hub stops')
  }

  receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#refuse(null, INVALID_REQUEST, 'text frames only')
    if (data.length > FRAME_BYTES + FRAME_OVERHEAD)
      return this.#refuse(null, INVALID_REQUEST, `a message is at most ${FRAME_BYTES} bytes long`)
    const frame = data.toString('utf8')
    const space = this.#socket.numbered ? frame.indexOf(' ') : -1
    const parsed = parseRpc(frame.slice(space + 1))
    if ('failure' in parsed) return this.write(rpcError(parsed.failure))
    const { message } = parsed
    if (message.id !== undefined && message.method !== undefined) {
      if (this.#waiting.size >= REQUESTS || this.#waitingBytes + data.length > WAITING_BYTES)
        return this.#refuse(message.id, TOO_MANY, 'too many requests are waiting for their answers')
      const number = space > 0 ? Number(frame.slice(0, space)) : Number.NaN
      this.settled(message.id)
      this.#waiting.set(message.id, { number: Number.isSafeInteger(number) ? number : undefined, bytes: data.length })
      this.#waitingBytes += data.length
    }
    if (message.method === 'initialize') this.#handshake = message.id
    const isTaken = this.#shaken && this.#shortcut(message)
    if (!isTaken) this.#pass(message)
    // What was taken back gets no answer.
    if (message.method === 'notifications/cancelled') this.settled(message.params?.['requestId'] as string)
  }

  #pass(message: RpcMessage): void {
    const wrong = wrongParams(message)
    if (!wrong) return this.onmessage?.(message as JSONRPCMessage)
    if (message.id !== undefined) this.settled(message.id)
    this.write(rpcError(wrong))
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.write(rpcError({ id, code, message: `Invalid message: ${message}` }))
  }

  write(text: string): void {
    if (!this.#socket.isOpen) return
    if (this.#socket.unsent > UNSENT_BYTES) return this.#socket.terminate()
    this.#socket.send(text)
  }
}
