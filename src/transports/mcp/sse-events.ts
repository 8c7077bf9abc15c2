// Owns what was sent over event streams and may have to be sent again: a client whose stream broke names the last event it has,
// as every client on the MCP SDK does on its own, and gets the rest. Bounded for each session and in all; what is pushed out, or older than a few minutes, is gone.
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import type { Clock } from '#kernel/clock.ts'

/** The SDK's name for the one stream of a session that belongs to no request. */
const STANDALONE = '_GET_stream'
/** Notifications are small; answers may be megabytes. They push out only their own kind. */
const STANDALONE_BYTES = 1024 * 1024
const ANSWER_BYTES = 16 * 1024 * 1024
const ALL_BYTES = 64 * 1024 * 1024
/** A client that comes back later than this asks again. */
const KEPT_MS = 5 * 60_000
/** What an event costs besides its text. */
const OVERHEAD = 200

type Kept = {
  readonly shelf: Shelf
  readonly n: number
  readonly stream: string
  readonly message: JSONRPCMessage
  readonly bytes: number
  readonly at: number
}
type Shelf = {
  /** Oldest first. */
  readonly events: Set<Kept>
  bytes: number
  readonly limit: number
  /** All up to this number are gone. */
  gone: number
}

/** What all sessions keep together, oldest first. */
export class SseEvents {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #all = new Set<Kept>()
  #bytes = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  get bytes(): number {
    return this.#bytes
  }

  ofSession(): SessionEvents {
    return new SessionEvents(this)
  }

  add(shelf: Shelf, n: number, stream: string, message: JSONRPCMessage): void {
    const bytes = JSON.stringify(message).length + OVERHEAD
    const kept = { shelf, n, stream, message, bytes, at: this.#clock.monotonic() }
    this.#all.add(kept)
    shelf.events.add(kept)
    shelf.bytes += bytes
    this.#bytes += bytes
    for (const oldest of shelf.events) {
      if (shelf.bytes <= shelf.limit) break
      this.#drop(oldest)
    }
    for (const oldest of this.#all) {
      if (this.#bytes <= ALL_BYTES) break
      this.#drop(oldest)
    }
  }

  forgetOld(): void {
    const before = this.#clock.monotonic() - KEPT_MS
    for (const oldest of this.#all) {
      if (oldest.at > before) break
      this.#drop(oldest)
    }
  }

  clear(shelf: Shelf): void {
    for (const kept of shelf.events) this.#drop(kept)
  }

  /** Always the oldest of its shelf. */
  #drop(kept: Kept): void {
    this.#all.delete(kept)
    this.#bytes -= kept.bytes
    kept.shelf.events.delete(kept)
    kept.shelf.bytes -= kept.bytes
    kept.shelf.gone = kept.n
  }
}

export class SessionEvents implements EventStore {
  readonly #all: SseEvents
  readonly #notifications: Shelf = { events: new Set(), bytes: 0, limit: STANDALONE_BYTES, gone: 0 }
  readonly #answers: Shelf = { events: new Set(), bytes: 0, limit: ANSWER_BYTES, gone: 0 }
  #n = 0
  #replaying: Promise<void> | undefined

  constructor(all: SseEvents) {
    this.#all = all
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const n = ++this.#n
    this.#all.add(this.#shelf(stream), n, stream, message)
    // The sender looks for its stream after this. One that is being resumed is open a moment later.
    await this.#replaying
    return `${n}.${stream}`
  }

  /** Where the standalone stream stands: what comes after this can be had again, even by a client that got nothing before the cut. */
  last(): string {
    return `${this.#n}.${STANDALONE}`
  }

  /** What is left of that which came after this event: of notifications maybe not all, of an answer nothing. */
  after(eventId: string): 'all' | 'not-all' | 'no-answer' {
    const { n, stream } = parse(eventId)
    if (n <= this.#n && n >= this.#shelf(stream).gone) return 'all'
    return stream === STANDALONE ? 'not-all' : 'no-answer'
  }

  async replayEventsAfter(eventId: string, { send }: Parameters<EventStore['replayEventsAfter']>[1]): Promise<string> {
    const { n, stream } = parse(eventId)
    const replaying = new Promise<void>(resolve => setImmediate(resolve))
    this.#replaying = replaying
    void replaying.then(() => {
      if (this.#replaying === replaying) this.#replaying = undefined
    })
    // What is added meanwhile is met, too: the iteration is over the living set.
    for (const kept of this.#shelf(stream).events) {
      // The beginning of a stream is stored like a message, and is none.
      const isMessage = kept.stream === stream && kept.n > n && 'jsonrpc' in kept.message
      if (isMessage) await send(`${kept.n}.${stream}`, kept.message)
    }
    return stream
  }

  dispose(): void {
    for (const shelf of [this.#notifications, this.#answers]) this.#all.clear(shelf)
  }

  #shelf(stream: string): Shelf {
    return stream === STANDALONE ? this.#notifications : this.#answers
  }
}

function parse(eventId: string): { n: number; stream: string } {
  const [, n, stream] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(eventId) ?? []
  return n === undefined || stream === undefined ? { n: Number.NaN, stream: '' } : { n: Number(n), stream }
}
