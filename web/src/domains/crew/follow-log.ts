// A log as it is written: one socket, which comes back where it was when it is cut. A page stays open all day and a log may be as long
// as the disk allows: of its end the newest lines are kept; read from its beginning, it stops when so many are there.
import { LOG_PROTOCOL, PAGE_PROTOCOL } from '#contract/limits.ts'
import { pageToken, signedOut } from '../../hub/sign-in.ts'
import { createStore, type Store } from '../../hub/store.ts'

export type LogState = {
  lines: readonly string[]
  /** Where the reading began, as an offset. */
  from: number
  /** How many lines came before these and were let go again. */
  dropped: number
  /** `full`: there is more, and it is not read before somebody wants it. */
  state: 'opening' | 'live' | 'ended' | 'cut' | 'full'
  shortened: boolean
}

const START: LogState = { lines: [], from: 0, dropped: 0, state: 'opening', shortened: false }
const MOST_LINES = 50_000
/** So many more come before the oldest go, all at once: not with each line. */
const SLACK = 5_000
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
  /** The hub has sent the last of it. */
  #ended = false

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

  /** From its beginning, instead of its end. */
  fromStart(): void {
    this.#again(true)
  }

  /** Back to its end, which is followed. */
  toEnd(): void {
    this.#again(false)
  }

  /** The lines after those that are there, in their place. */
  further(): void {
    const { lines, state } = this.log.get()
    if (state !== 'full') return
    this.log.set(before => ({ ...before, lines: [], dropped: before.dropped + lines.length, state: 'opening' }))
    if (this.#ended) this.log.set(before => ({ ...before, state: 'ended' }))
    else this.#open()
    this.#draw()
  }

  #again(isWhole: boolean): void {
    clearTimeout(this.#retry)
    this.#socket?.close()
    this.#whole = isWhole
    this.#at = undefined
    this.#ended = false
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
      this.#ended = true
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
      if (this.#fresh.length > 0) this.log.set(before => this.#grown(before))
    }
    if (document.visibilityState === 'visible') requestAnimationFrame(draw)
    else setTimeout(draw, 200)
  }

  /** With what came. The rest of a log that is read from its beginning waits in the hub; what has come of it already, here. */
  #grown(before: LogState): LogState {
    const room = MOST_LINES - before.lines.length
    if (this.#whole && this.#fresh.length > room) {
      const lines = [...before.lines, ...this.#fresh.slice(0, room)]
      this.#fresh = this.#fresh.slice(room)
      const socket = this.#socket
      this.#socket = undefined
      socket?.close()
      return { ...before, lines, state: 'full' }
    }
    const lines = [...before.lines, ...this.#fresh]
    this.#fresh = []
    if (lines.length <= MOST_LINES + SLACK) return { ...before, lines }
    const over = lines.length - MOST_LINES
    return { ...before, lines: lines.slice(over), dropped: before.dropped + over }
  }

  #closed(code: number, token: string | null): void {
    this.#socket = undefined
    if (code === UNAUTHORISED) return signedOut(token)
    if (this.#stopped || this.#ended || this.log.get().state === 'full') return
    this.log.set(before => ({ ...before, state: 'cut' }))
    const wait = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)] ?? 8000
    this.#retry = setTimeout(() => this.#open(), wait * (0.8 + Math.random() * 0.4))
  }
}
