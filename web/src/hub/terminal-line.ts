// The socket to one tab's terminal. It comes back after a cut, with the whole screen; it draws nothing.
import { PAGE_PROTOCOL, TERMINAL_PROTOCOL } from '#contract/limits.ts'
import { pageToken, signedOut } from './sign-in.ts'

export type Size = { cols: number; rows: number }
export type TerminalExit = { code: number | null; signal: string | null; lost: boolean }
export type TerminalState = 'connecting' | 'open' | 'cut' | 'ended'

export type TerminalEvents = {
  /** All that was drawn before is void. */
  screen(bytes: Uint8Array, size: Size): void
  output(bytes: Uint8Array): void
  /** Some window decided the size of all. */
  resized(size: Size): void
  /** Something that was typed did not reach the program. */
  refused(): void
  state(state: TerminalState): void
}

type Said =
  | ({ type: 'screen' } & Size)
  | ({ type: 'resize' } & Size)
  | ({ type: 'exit' } & TerminalExit)
  | { type: 'notice'; code: string }

const RETRY_MS = [250, 500, 1000, 2000, 4000]
const UNAUTHORISED = 4401
/** The host refuses longer frames. */
const FRAME_BYTES = 32 * 1024

export class TerminalLine {
  readonly #path: string
  readonly #events: TerminalEvents
  #socket: WebSocket | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #wanted = false
  #ended = false

  constructor(tabId: string, events: TerminalEvents) {
    this.#path = `/tabs/${encodeURIComponent(tabId)}/terminal`
    this.#events = events
  }

  /** With `size` it becomes the size of the terminal, for all who look at it. */
  open(size?: Size): void {
    if (this.#wanted || this.#ended) return
    this.#wanted = true
    this.#attempt = 0
    window.addEventListener('online', this.#now)
    this.#connect(size)
  }

  close(): void {
    this.#wanted = false
    window.removeEventListener('online', this.#now)
    clearTimeout(this.#retry)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return this.#events.refused()
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) this.#socket.send(bytes.subarray(at, at + FRAME_BYTES))
  }

  resize({ cols, rows }: Size): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'resize', cols, rows }))
  }

  readonly #now = (): void => {
    if (this.#socket || !this.#wanted) return
    clearTimeout(this.#retry)
    this.#connect()
  }

  #connect(size?: Size): void {
    const { protocol, host } = location
    const query = size ? `?cols=${size.cols}&rows=${size.rows}` : ''
    const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${this.#path}${query}`
    const token = pageToken()
    const socket = new WebSocket(url, [TERMINAL_PROTOCOL, `${PAGE_PROTOCOL}${token ?? ''}`])
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#events.state('connecting')
    let screen: Size | undefined
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== this.#socket) return
      if (typeof data === 'string') {
        const said = JSON.parse(data) as Said
        if (said.type === 'screen') screen = { cols: said.cols, rows: said.rows }
        else this.#hear(said)
        return
      }
      const bytes = new Uint8Array(data)
      if (!screen) return this.#events.output(bytes)
      this.#attempt = 0
      this.#events.screen(bytes, screen)
      this.#events.state('open')
      screen = undefined
    })
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#closed(code, token)
    })
  }

  #hear(said: Exclude<Said, { type: 'screen' }>): void {
    if (said.type === 'resize') return this.#events.resized({ cols: said.cols, rows: said.rows })
    if (said.type === 'notice') return this.#events.refused()
    this.#ended = true
    this.#events.state('ended')
  }

  #closed(code: number, token: string | null): void {
    this.#socket = undefined
    if (code === UNAUTHORISED) signedOut(token)
    if (this.#ended || !this.#wanted) return
    this.#events.state('cut')
    const ms = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)] ?? 4000
    // Without a size: a viewer who typed meanwhile keeps theirs.
    this.#retry = setTimeout(() => this.#connect(), ms * (0.8 + Math.random() * 0.4))
  }
}
