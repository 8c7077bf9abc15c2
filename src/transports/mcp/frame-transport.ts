// The frames of one bridge's socket: what is answered without the SDK, and the SDK, which is loaded with the first message that needs it.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { FRAME_BYTES } from '#contract/limits.ts'
import { INVALID_REQUEST, parseRpc, type RpcFailure, type RpcMessage, rpcError } from '../json-rpc.ts'
import type { FrameSocket } from './frame-connection.ts'
import type { CallOutput } from './tool-calls.ts'

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
const TOOLS_CHANGED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
/** The id under which the SDK hears of a handshake that it did not make. */
const HEARD_LATER = 'toryo:handshake'

/** What the transport asks about a message before it goes to the SDK. */
export type Without = {
  /** The result of a handshake that needs no SDK. */
  greet(message: RpcMessage): Record<string, unknown> | undefined
  /** Whether it was taken: it is, or will be, answered. */
  take(message: RpcMessage): boolean
  loadSdk(wire: FrameTransport): Promise<BySdk>
  fault(error: Error): void
}

/** The SDK's end of it. */
export type BySdk = {
  wrongParams(message: RpcMessage): RpcFailure | undefined
  touched(uri: string): void
  toolsChanged(): void
  close(): Promise<void>
}

export class FrameTransport implements Transport, CallOutput {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly #socket: FrameSocket
  readonly #without: Without
  /** Each request that is not answered yet, with the number of its frame where frames have one. */
  readonly #waiting = new Map<string | number, { number: number | undefined; bytes: number }>()
  #waitingBytes = 0
  /** The handshake as the client sent it, when it was answered without the SDK. */
  #greeted: RpcMessage | undefined
  #handshake: string | number | undefined
  /** The client has its handshake, and speaks the older protocol. */
  #shaken = false
  /** Messages for the SDK while it is not ready; undefined: none are kept, it is ready or was never needed. */
  #kept: RpcMessage[] | undefined
  #sdk: BySdk | undefined
  #isClosed = false

  constructor(socket: FrameSocket, without: Without) {
    this.#socket = socket
    this.#without = without
  }

  numberOf(id: string | number): number | undefined {
    return this.#waiting.get(id)?.number
  }

  touched(uri: string): void {
    this.#sdk?.touched(uri)
  }

  toolsChanged(): void {
    if (this.#shaken) this.write(TOOLS_CHANGED)
    else this.#sdk?.toolsChanged()
  }

  /** The SDK's: the socket speaks only when it is listened to, which is when all this stands. */
  async start(): Promise<void> {}

  /** The SDK's. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && message.id === HEARD_LATER && this.#kept) return this.#ready()
    if ('id' in message && message.id !== undefined && !('method' in message)) this.settled(message.id)
    if ('result' in message && message.id === this.#handshake) this.#shaken = true
    this.write(JSON.stringify(message))
  }

  /** The SDK's. */
  async close(): Promise<void> {
    this.#socket.close(1001, 'the hub stops')
  }

  settled(id: string | number): void {
    this.#waitingBytes -= this.#waiting.get(id)?.bytes ?? 0
    this.#waiting.delete(id)
  }

  /** The newer protocol puts more into each request and answer than we want to know: all of it is the SDK's. */
  isNewer(): void {
    this.#handshake = undefined
  }

  end(): Promise<void> {
    return this.#sdk ? this.#sdk.close() : this.close()
  }

  closed(): void {
    this.#isClosed = true
    this.onclose?.()
  }

  failed(error: Error): void {
    if (this.onerror) this.onerror(error)
    else this.#without.fault(error)
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
    if (!this.#isTaken(message)) this.#pass(message)
    // What was taken back gets no answer.
    if (message.method === 'notifications/cancelled') this.settled(message.params?.['requestId'] as string)
  }

  #isTaken(message: RpcMessage): boolean {
    if (this.#shaken && this.#without.take(message)) return true
    if (this.#sdk || this.#kept) return false
    // Without a handler, a notification or a stray answer means nothing to the SDK either.
    if (this.#greeted) return message.id === undefined || message.method === undefined
    const result = this.#without.greet(message)
    if (!result || message.id === undefined) return false
    this.#greeted = message
    this.#shaken = true
    this.settled(message.id)
    this.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    return true
  }

  #pass(message: RpcMessage): void {
    if (this.#kept) return void this.#kept.push(message)
    if (this.#sdk) return this.#deliver(this.#sdk, message)
    this.#kept = [message]
    void this.#without.loadSdk(this).then(sdk => {
      this.#sdk = sdk
      if (this.#isClosed) return this.onclose?.()
      if (!this.#greeted) return this.#ready()
      this.onmessage?.({ ...this.#greeted, id: HEARD_LATER } as JSONRPCMessage)
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' })
    })
  }

  #ready(): void {
    const kept = this.#kept ?? []
    this.#kept = undefined
    for (const message of kept) this.#deliver(this.#sdk as BySdk, message)
  }

  #deliver(sdk: BySdk, message: RpcMessage): void {
    const wrong = sdk.wrongParams(message)
    if (!wrong) {
      if (message.method === 'initialize') this.#handshake = message.id
      return this.onmessage?.(message as JSONRPCMessage)
    }
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
