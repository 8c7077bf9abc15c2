// Owns which sessions older clients have over HTTP, and which of them must go. Clients often leave without a goodbye, so a new
// session never waits for idle ones: the one that was idle longest makes room.
import type { Clock } from '#kernel/clock.ts'

const IDLE_MS = 30 * 60 * 1000
const SESSIONS = 1024
/** No caller may have all of them. */
export const SESSIONS_PER_CALLER = 256

export type Session = {
  readonly id: string
  /** Whose it is, by name. */
  readonly owner: string
  usedAt: number
  /** Requests and streams that are under way. While there is one, the client is there. */
  open: number
  close(): void
}

export class HttpSessions<T extends Session> {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #sessions = new Map<string, T>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  get size(): number {
    return this.#sessions.size
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#sessions.values()
  }

  get(id: string): T | undefined {
    return this.#sessions.get(id)
  }

  /** False when there is no room: every session of this owner, or of all, is in use. */
  makeRoom(owner: string): boolean {
    this.reap()
    const own = [...this].filter(session => session.owner === owner)
    if (own.length >= SESSIONS_PER_CALLER && !this.#endOldest(own)) return false
    return this.size < SESSIONS || this.#endOldest([...this])
  }

  add(session: T): void {
    this.#sessions.set(session.id, session)
  }

  end(session: T): void {
    if (this.#sessions.delete(session.id)) session.close()
  }

  reap(): void {
    const before = this.#clock.monotonic() - IDLE_MS
    for (const session of this) if (session.open === 0 && session.usedAt < before) this.end(session)
  }

  /** Counts a request of the session until the function that it gives is called. */
  enter(session: T): () => void {
    session.open++
    session.usedAt = this.#clock.monotonic()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      session.open--
      session.usedAt = this.#clock.monotonic()
    }
  }

  #endOldest(sessions: readonly T[]): boolean {
    const idle = sessions.filter(session => session.open === 0)
    const [first, ...rest] = idle
    if (!first) return false
    this.end(rest.reduce((oldest, session) => (session.usedAt < oldest.usedAt ? session : oldest), first))
    return true
  }
}
