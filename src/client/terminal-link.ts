// One connection to a tab's terminal. Says what the hub says; draws nothing.
import { WebSocket } from 'ws'
import { PASS_HEADER, TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { askPass, askProof, singleConnection } from './proof.ts'
import { addressOf, dropWhenSilent, opened } from './web-socket.ts'

export type TerminalEndpoint = {
  url: string
  /** The same hub's Unix socket, which costs a key half of what the port does. */
  socket?: string
  token: string
  /** Of the certificate that it must show, if its state file names one. */
  certificate?: string
}

export type TerminalOptions = { tab: string; size?: { cols: number; rows: number }; readOnly?: boolean }

export type TerminalEnd = { code: number | null; signal: string | null; lost: boolean }

export type TerminalEvents = {
  /** All that was drawn before is void. */
  screen(bytes: Buffer, size: { cols: number; rows: number }, resync: boolean): void
  output(bytes: Buffer): void
  resized(cols: number, rows: number): void
  ended(exit: TerminalEnd): void
  notice(code: string): void
  /** Once; after `ended`, or when the hub went away. */
  closed(code: number): void
}

/** The hub answered, and said no. */
export class TerminalRefused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const OPEN_MS = 5000
const FROM_HUB_BYTES = 32 * 1024 * 1024

type Said =
  | { type: 'screen'; cols: number; rows: number; resync: boolean }
  | { type: 'resize'; cols: number; rows: number }
  | ({ type: 'exit' } & TerminalEnd)
  | { type: 'notice'; code: string }

export class TerminalLink {
  readonly #socket: WebSocket

  /** Rejects with TerminalRefused, else with the connection's error. */
  static async open(
    endpoint: TerminalEndpoint,
    options: TerminalOptions,
    events: TerminalEvents,
  ): Promise<TerminalLink> {
    const { socket, token } = endpoint
    const pass = socket === undefined ? undefined : await askPass(endpoint, token, OPEN_MS)
    if (socket !== undefined && pass !== undefined)
      try {
        return await TerminalLink.#open(endpoint, { socketPath: socket, pass }, options, events)
      } catch (cause) {
        // The socket may be gone, or not ours to use; what the hub itself says stands.
        if (cause instanceof TerminalRefused) throw cause
      }
    return TerminalLink.#open(endpoint, undefined, options, events)
  }

  static async #open(
    endpoint: TerminalEndpoint,
    local: { socketPath: string; pass: string } | undefined,
    options: TerminalOptions,
    events: TerminalEvents,
  ): Promise<TerminalLink> {
    const socketPath = local?.socketPath
    // What stays on this machine is not encrypted.
    const url = socketPath === undefined ? endpoint.url : endpoint.url.replace(/^https:/, 'http:')
    const agent = singleConnection(url, { socketPath, certificate: endpoint.certificate })
    try {
      await askProof(url, endpoint.token, agent, OPEN_MS, { socketPath })
      const socket = new WebSocket(address(url, options), TERMINAL_PROTOCOL, {
        agent,
        headers: { authorization: `Bearer ${endpoint.token}`, ...(local && { [PASS_HEADER]: local.pass }) },
        handshakeTimeout: OPEN_MS,
        maxPayload: FROM_HUB_BYTES,
        perMessageDeflate: false,
      })
      // Before it is open: the first screen may come in the same packet as the answer.
      const link = new TerminalLink(socket, events)
      await opened(socket, (status, body) => new TerminalRefused(status, body.trim().slice(0, 500)))
      return link
    } catch (cause) {
      agent.destroy()
      throw cause
    }
  }

  private constructor(socket: WebSocket, events: TerminalEvents) {
    this.#socket = socket
    let screen: Extract<Said, { type: 'screen' }> | undefined
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        const said = JSON.parse(data.toString()) as Said
        if (said.type === 'screen') screen = said
        else tell(events, said)
        return
      }
      if (!screen) return events.output(data)
      const { cols, rows, resync } = screen
      screen = undefined
      events.screen(data, { cols, rows }, resync)
    })
    socket.on('open', () => {
      dropWhenSilent(socket)
      socket.on('close', code => events.closed(code))
    })
  }

  input(bytes: Uint8Array): void {
    this.#socket.send(bytes)
  }

  resize(cols: number, rows: number): void {
    this.#socket.send(JSON.stringify({ type: 'resize', cols, rows }))
  }

  close(): void {
    this.#socket.close()
    // A hub that hangs must not keep us.
    setTimeout(() => this.#socket.terminate(), 500).unref()
  }
}

function address(url: string, { tab, size, readOnly }: TerminalOptions): URL {
  const found = addressOf(url, `tabs/${encodeURIComponent(tab)}/terminal`)
  if (readOnly) found.searchParams.set('readonly', '1')
  if (size && !readOnly) {
    found.searchParams.set('cols', String(size.cols))
    found.searchParams.set('rows', String(size.rows))
  }
  return found
}

function tell(events: TerminalEvents, said: Exclude<Said, { type: 'screen' }>): void {
  switch (said.type) {
    case 'resize':
      return events.resized(said.cols, said.rows)
    case 'exit':
      return events.ended({ code: said.code, signal: said.signal, lost: said.lost })
    case 'notice':
      return events.notice(said.code)
  }
}
