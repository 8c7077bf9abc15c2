// A log as it is written: one socket, which comes back where it was when it is cut.
import { LOG_PROTOCOL, PAGE_PROTOCOL } from '#contract/limits.ts'
import { pageToken, signedOut } from '../../hub/sign-in.ts'
import { createStore, type Store } from '../../hub/store.ts'

export type LogState = {
  lines: readonly string[]
  /** The offset of the first of them. */
  from: number
  state: 'opening' | 'live' | 'ended' | 'cut'
  shortened: boolean
}

const START: LogState = { lines: [], from: 0, state: 'opening', shortened: false }
const TAIL_BYTES = 512 * 1024
const RETRY_MS = [500, 1000, 2000, 4000, 8000]
const UNAUTHORISED = 4401

export class LogFollower {
  readonly log: Store<LogState> = createStore<LogState>(START)
  readonly #id: string
  #socket: WebSocket | undefined
  #at: number | undefined
  #whole = false
  #attempt = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #decoder = new TextDecoder()
  #fresh: string[] = []
  #rest = ''
  #drawing = false
  #stopped = false

  constructor(id: string) {
    this.#id = id
  }

  start(): void {
    this.#stopped = false
    this.#open()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#socket = undefined
  }

  /** All of it, instead of its end. */
  fromStart(): void {
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#whole = true
    this.#at = undefined
    this.#fresh = []
    this.#rest = ''
    this.#decoder = new TextDecoder()
    this.log.set(START)
    this.#open()
  }

  #open(): void {
    const { protocol, host } = location
    const start = this.#at !== undefined ? `from=${this.#at}` : this.#whole ? 'from=0' : `tail=${TAIL_BYTES}`
    const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/runs/${encodeURIComponent(this.#id)}/log?${start}`
    const token = pageToken()
    const socket = new WebSocket(url, [LOG_PROTOCOL, `${PAGE_PROTOCOL}${token ?? ''}`])
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#take(data as string | ArrayBuffer)
    })
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#closed(code, token)
    })
  }

  #take(data: string | ArrayBuffer): void {
    this.#attempt = 0
    if (typeof data !== 'string') {
      this.#at = (this.#at ?? 0) + data.byteLength
      const lines = (this.#rest + this.#decoder.decode(data, { stream: true })).split('\n')
      this.#rest = lines.pop() ?? ''
      // One by one: a call has room for about a hundred thousand arguments, and a piece may have more lines.
      for (const line of lines) this.#fresh.push(line)
      return this.#draw()
    }
    const said = JSON.parse(data) as { from?: number; shortened?: boolean; ended?: boolean }
    if (said.ended) {
      if (this.#rest !== '') this.#fresh.push(this.#rest)
      this.#rest = ''
      this.log.set(before => ({ ...before, state: 'ended' }))
      return this.#draw()
    }
    const isFirst = this.#at === undefined
    this.#at = said.from ?? 0
    this.log.set(before => ({
      ...before,
      state: 'live',
      from: isFirst ? (said.from ?? 0) : before.from,
      shortened: before.shortened || said.shortened === true,
    }))
  }

  /** Once a frame, however many pieces came. */
  #draw(): void {
    if (this.#drawing) return
    this.#drawing = true
    const draw = () => {
      this.#drawing = false
      const fresh = this.#fresh
      this.#fresh = []
      if (fresh.length > 0) this.log.set(before => ({ ...before, lines: [...before.lines, ...fresh] }))
    }
    if (document.visibilityState === 'visible') requestAnimationFrame(draw)
    else setTimeout(draw, 200)
  }

  #closed(code: number, token: string | null): void {
    this.#socket = undefined
    if (code === UNAUTHORISED) return signedOut(token)
    if (this.#stopped || this.log.get().state === 'ended') return
    this.log.set(before => ({ ...before, state: 'cut' }))
    const wait = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)] ?? 8000
    this.#retry = setTimeout(() => this.#open(), wait * (0.8 + Math.random() * 0.4))
  }
}
