// How a viewer's connection gets from the hub to the pty-host. To a host that this hub started itself it is handed over whole:
// a key then goes through one process less, and the viewer stays when the hub goes. To a host of an earlier hub, and what is
// encrypted, the hub passes the bytes on.
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { TERMINAL_PROTOCOL } from '#contract/limits.ts'
import type { Channel } from '#kernel/processes/launch.ts'
import type { HostState } from './host-files.ts'
import { connectViewer } from './host-link.ts'
import { type HandedViewer, Received, type ViewerRequest } from './protocol.ts'
import type { ViewerConnection, TerminalExit } from './terminals.ts'

const CLOSE_MS = 5_000
const RECEIVE_MS = 10_000
/** What WebSockets need of a request. The token, and whatever else it says, stays here. */
const HEADERS = ['connection', 'upgrade', 'sec-websocket-key', 'sec-websocket-version'] as const

export function requestOf(
  terminal: string,
  { request, readOnly, size }: ViewerConnection,
  exit: TerminalExit | undefined,
): ViewerRequest {
  const given = HEADERS.flatMap(name => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, value]]
  })
  // That it speaks this was looked at; what else it offers is of no interest.
  const headers = Object.fromEntries([...given, ['sec-websocket-protocol', TERMINAL_PROTOCOL]])
  return { terminal, headers, readOnly, ...(size && { size }), ...(exit && { exit }) }
}

/** The connections that are being passed on by one hub. */
export class Passages {
  readonly #open = new Set<Duplex>()

  async begin(host: HostState, { socket, head }: ViewerConnection, request: ViewerRequest): Promise<void> {
    const inner = await connectViewer(host, request)
    if (socket.destroyed) return void inner.destroy()
    inner.write(head)
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      this.#open.add(from)
      from.on('error', () => from.destroy())
      from.on('close', () => {
        this.#open.delete(from)
        // What was read from it is still to be written; a peer that does not read is not waited for.
        to.end(() => to.destroy())
        setTimeout(() => to.destroy(), CLOSE_MS).unref()
      })
      from.pipe(to)
    }
  }

  dispose(): void {
    for (const end of this.#open) end.destroy()
  }
}

/** The channel to a host that we started. */
export class HandOver {
  readonly #channel: Channel
  /** Sent, and not known to have arrived: the host's and ours. */
  readonly #sent = new Map<number, Socket>()
  #number = 0

  constructor(channel: Channel) {
    this.#channel = channel
    channel.on('message', message => this.#released(Received.safeParse(message).data?.received))
    // Either may come without the other: a channel with a message under way emits no end.
    for (const end of ['disconnect', 'exit'] as const)
      channel.on(end, () => {
        for (const socket of this.#sent.values()) socket.destroy()
      })
  }

  /** False: it cannot be sent, nothing was done with it. */
  give({ socket, head }: ViewerConnection, request: ViewerRequest): boolean {
    if (!this.#channel.connected || !(socket instanceof Socket) || socket instanceof TLSSocket) return false
    if (socket.destroyed) return true
    const number = ++this.#number
    this.#sent.set(number, socket)
    // A host that can open nothing more never gets it, and Node does not say so.
    const late = setTimeout(() => socket.destroy(), RECEIVE_MS).unref()
    socket.once('close', () => {
      clearTimeout(late)
      this.#sent.delete(number)
    })
    const message: HandedViewer = { number, visit: request, head: head.toString('base64') }
    this.#channel.send(message, socket, { keepOpen: true }, error => error && socket.destroy())
    return true
  }

  close(): void {
    if (this.#channel.connected) this.#channel.disconnect()
  }

  #released(number: number | undefined): void {
    const socket = number === undefined ? undefined : this.#sent.get(number)
    // Ours alone: the connection stays, in the host's hands.
    socket?.destroy()
    if (!this.#channel.connected || number === undefined) return
    const message: HandedViewer = { released: number }
    this.#channel.send(message, () => {}) // A host that is gone needs no word.
  }
}
