// The hub's end of a bridge: one socket, one MCP server. Frames are `<n> <JSON-RPC>` under RELAY_PROTOCOL, so that
// a call that is sent again after a cut is known by its number; a client without it sends plain JSON-RPC.
import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { Offer } from '#kernel/registry.ts'
import type { Connection } from '#kernel/tool.ts'
import type { Hub } from '../hub.ts'
import { FrameTransport } from './frame-transport.ts'
import { greeting } from './greeting.ts'
import { type Peer, toolNames } from './peer.ts'
import { ToolCalls } from './tool-calls.ts'

/** What carries the frames: a WebSocket, or lines. */
export interface FrameSocket {
  /** Frames begin with their number. */
  readonly numbered: boolean
  readonly isOpen: boolean
  /** Bytes that the other end has not taken yet. */
  readonly unsent: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
}

/** Events of a socket. */
export type FrameSocketEvents = {
  message(data: Buffer, isBinary: boolean): void
  close(): void
  error(error: Error): void
}

export type FrameConnectionOptions = {
  /** What the connection's credential makes of it. */
  readonly credential: Caller
  /** The agent that signed in on it before it was cut. */
  readonly identity: Caller | undefined
  readonly secret: string
  readonly offer: Offer
  readonly lang: Lang
  readonly directory?: string
}

export type FrameConnection = {
  /** What the socket is to call. */
  readonly events: FrameSocketEvents
  readonly secret: string
  readonly caller: Caller
  touched(uri: string): void
  close(): Promise<void>
}

export function serveFrames<S>(hub: Hub<S>, socket: FrameSocket, options: FrameConnectionOptions): FrameConnection {
  let identity = options.identity
  const connection: Connection = {
    secret: options.secret,
    opener: options.credential,
    ...(options.directory !== undefined && { directory: options.directory }),
    identifyAs: caller => {
      const before = toolNames(hub, peer)
      identity = caller
      if (toolNames(hub, peer) !== before) transport.toolsChanged()
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
  const transport: FrameTransport = new FrameTransport(socket, {
    greet: message => greeting(hub, peer, message),
    take: message => calls.take(message),
    loadSdk: async wire => (await import('./frames-by-sdk.ts')).serveBySdk(hub, peer, wire),
    fault: error => hub.log.debug({ err: error }, 'a connection of a bridge reported an error'),
  })
  const calls = new ToolCalls(hub, peer, transport)
  return {
    events: {
      message: (data, isBinary) => transport.receive(data, isBinary),
      close: () => {
        calls.dispose()
        transport.closed()
      },
      error: error => transport.failed(error),
    },
    secret: options.secret,
    get caller() {
      return peer.caller()
    },
    touched: uri => transport.touched(uri),
    close: () => transport.end(),
  }
}
