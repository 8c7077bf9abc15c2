// The one socket over which the page hears what happens. It resumes where it was, and says when it is cut.
import type { StoredEvent } from '#contract/events.ts'
import type { WorktreeChanged } from '#contract/worktrees.ts'
import { EVENTS_PROTOCOL, PAGE_PROTOCOL, TICK_MS } from '#contract/limits.ts'
import { pageToken, signedOut } from './sign-in.ts'
import { createStore } from './store.ts'
import { watched } from './watched.ts'

export type LineState =
  | { kind: 'starting' }
  | { kind: 'live'; seq: number }
  /** `isStopped`: the hub said that it stops, and none has answered since. */
  | { kind: 'cut'; since: number; retryAt: number; seq: number; isStopped: boolean }

export type LineEvents = {
  /** In their order, each once. */
  heard(events: readonly StoredEvent[]): void
  /** Files of a worktree that is watched. */
  changed(change: WorktreeChanged): void
  /** Too much was missed, or it is another history: what is shown must be loaded again. */
  resync(): void
  /** Asked before each connection: the hub's last event, and when it happened. */
  start(): Promise<{ seq: number; at: string | null }>
}

/** Without a number: it is not in the log. */
type Changed = { type: 'worktree.changed'; payload: WorktreeChanged }

/** Two ticks and some patience. */
const SILENCE_MS = 2 * TICK_MS + 10_000
/** How often the clock is looked at: a machine that slept has not run any timer meanwhile. */
const LOOK_MS = 5000
const RETRY_MS = [500, 1000, 2000, 4000, 8000]
const RESYNC = 4008
const UNAUTHORISED = 4401
const GOING_AWAY = 1001
const GAP = 5000

export const line = createStore<LineState>({ kind: 'starting' })

export class EventLine {
  readonly #events: LineEvents
  #socket: WebSocket | undefined
  #applied: number | undefined
  /** When that event happened: after a backup was restored, another one gets its number. */
  #appliedAt: string | null = null
  #attempt = 0
  /** The connection that is being made: a later one takes its place. */
  #connecting = 0
  #cutSince: number | undefined
  /** By the clock on the wall. */
  #heardAt = 0
  #look: ReturnType<typeof setInterval> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #stopped = false
  #hubStopped = false
  /** What this socket was told to watch. */
  #named = ''
  #forget: (() => void) | undefined

  constructor(events: LineEvents) {
    this.#events = events
  }

  start(): void {
    this.#stopped = false
    window.addEventListener('online', this.#now)
    window.addEventListener('offline', this.#probe)
    document.addEventListener('visibilitychange', this.#now)
    this.#forget = watched.subscribe(this.#nameWatched)
    this.#look = setInterval(this.#slept, LOOK_MS)
    void this.#connect()
  }

  stop(): void {
    this.#stopped = true
    this.#connecting++
    window.removeEventListener('online', this.#now)
    window.removeEventListener('offline', this.#probe)
    document.removeEventListener('visibilitychange', this.#now)
    this.#forget?.()
    clearInterval(this.#look)
    clearTimeout(this.#retry)
    this.#leave()
  }

  /** For the button. */
  reconnect(): void {
    clearTimeout(this.#retry)
    this.#leave()
    this.#attempt = 0
    void this.#connect()
  }

  /** Nothing was heard for longer than a hub is silent: what is shown is from before, whatever the socket looks like. */
  readonly #slept = (): void => {
    if (line.get().kind !== 'live' || Date.now() - this.#heardAt <= SILENCE_MS) return
    this.#cutSince = this.#heardAt
    line.set({ kind: 'cut', since: this.#heardAt, retryAt: Date.now(), seq: this.#applied ?? 0, isStopped: false })
    this.reconnect()
  }

  readonly #now = (): void => {
    this.#nameWatched()
    this.#slept()
    if (line.get().kind === 'cut' && document.visibilityState === 'visible') this.reconnect()
  }

  /** Of a page that is hidden, none. */
  readonly #nameWatched = (): void => {
    const wanted = document.visibilityState === 'visible' ? watched.get() : ''
    if (wanted === this.#named || this.#socket?.readyState !== WebSocket.OPEN) return
    this.#named = wanted
    this.#socket.send(JSON.stringify({ watch: wanted === '' ? [] : wanted.split(' ') }))
  }

  /** A socket stays silent for long before the browser gives it up. A hub on this machine is reached without a network, too. */
  readonly #probe = (): void => {
    if (line.get().kind === 'live') this.reconnect()
  }

  async #connect(): Promise<void> {
    if (this.#stopped) return
    const attempt = ++this.#connecting
    const before = this.#applied
    try {
      const { seq, at } = await this.#events.start()
      // The person pressed the button, or signed out, while it was asked.
      if (this.#stopped || attempt !== this.#connecting) return
      // Fewer events than before are those of a backup.
      if (before !== undefined && (seq < before || seq - before > GAP)) this.#drop()
      if (this.#applied === undefined) this.#place(seq, at)
    } catch {
      // Not there yet, or not for us: said where it is shown.
      if (attempt === this.#connecting) this.#cut()
      return
    }
    const { protocol, host } = location
    const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/events?since=${this.#applied}&at=${this.#appliedAt ?? ''}`
    const token = pageToken()
    const socket = new WebSocket(url, [EVENTS_PROTOCOL, `${PAGE_PROTOCOL}${token ?? ''}`])
    this.#socket = socket
    this.#named = ''
    socket.addEventListener('open', this.#nameWatched)
    socket.addEventListener('message', message => {
      if (socket === this.#socket) this.#take(String(message.data))
    })
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#closed(code, token)
    })
  }

  #take(text: string): void {
    const said = JSON.parse(text) as StoredEvent | Changed | { tick: number }
    this.#attempt = 0
    this.#cutSince = undefined
    this.#hubStopped = false
    this.#heardAt = Date.now()
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#socket?.close(), SILENCE_MS)
    if ('tick' in said) {
      if (said.tick - (this.#applied ?? said.tick) > GAP || said.tick < (this.#applied ?? 0) - GAP)
        return this.#resync()
      line.set({ kind: 'live', seq: Math.max(said.tick, this.#applied ?? 0) })
      return
    }
    if (!('seq' in said)) return this.#events.changed(said.payload)
    this.#place(said.seq, said.at)
    this.#events.heard([said])
    line.set({ kind: 'live', seq: said.seq })
  }

  #closed(code: number, token: string | null): void {
    clearTimeout(this.#silence)
    this.#socket = undefined
    if (code === UNAUTHORISED) signedOut(token)
    if (code === RESYNC) return this.#resync()
    if (code === GOING_AWAY) this.#hubStopped = true
    this.#cut()
  }

  #resync(): void {
    this.#leave()
    this.#drop()
    void this.#connect()
  }

  /** What it still says is not heard any more. */
  #leave(): void {
    clearTimeout(this.#silence)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #place(seq: number, at: string | null): void {
    this.#applied = seq
    this.#appliedAt = at
  }

  /** What is shown stays until it was loaded again. */
  #drop(): void {
    this.#applied = undefined
    this.#events.resync()
  }

  #cut(): void {
    if (this.#stopped) return
    const wait = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)] ?? 8000
    const ms = wait * (0.8 + Math.random() * 0.4)
    this.#cutSince ??= Date.now()
    const [retryAt, seq] = [Date.now() + ms, this.#applied ?? 0]
    line.set({ kind: 'cut', since: this.#cutSince, retryAt, seq, isStopped: this.#hubStopped })
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#connect(), ms)
  }
}
