// Owns the event log: facts written in the transaction they belong to, read in the order of their numbers. A
// follower catches up from the table and is then fed by the one reader of this hub. Knows no event by name.
import type { Kysely } from 'kysely'
import type { Caller } from '#contract/caller.ts'
import { callerName } from '#contract/caller.ts'
import type { EventType, StoredEvent } from '#contract/events.ts'
import { type Clock, iso } from './clock.ts'
import type { Database, Rows, Tx } from './db/db.ts'
import { fixed } from './db/fixed.ts'
import type { Migration } from './db/migrate.ts'
import { type EventQuery, listEvents } from './event-list.ts'
import type { EventRow } from './event-table.ts'
import { subjectMigration } from './event-subjects.ts'
import type { Log } from './log.ts'

type EventTables = { events: EventRow }

export const eventMigrations: Migration[] = [
  {
    id: 'events.1',
    async up(db, column) {
      await db.schema
        .createTable('events')
        .addColumn('seq', column.serial)
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('type', 'text', c => c.notNull())
        .addColumn('project_id', 'text')
        .addColumn('caller', 'text', c => c.notNull())
        .addColumn('payload', 'text', c => c.notNull())
        .addColumn('touches', 'text', c => c.notNull())
        .execute()
    },
  },
  {
    id: 'events.2',
    async up(db) {
      // A reader of a quiet project must not walk through all that others wrote.
      await db.schema.createIndex('events_project').on('events').columns(['project_id', 'seq']).execute()
    },
  },
  {
    id: 'events.3',
    async up(db) {
      // People look for what one caller did, or for one kind of event, among all of them.
      await db.schema.createIndex('events_type').on('events').columns(['type', 'seq']).execute()
      await db.schema.createIndex('events_caller').on('events').columns(['caller', 'seq']).execute()
    },
  },
  subjectMigration,
  { id: 'events.5', up: (db, column) => column.narrowEvents(db) },
]

const selectSince = fixed((q: Kysely<EventTables>, value: { seq: number; limit: number }) =>
  q.selectFrom('events').selectAll().where('seq', '>', value.seq).orderBy('seq').limit(value.limit),
)

export type EventFilter = { projectId?: string }

/** Gets events in their order. While it catches up, the next ones wait until it has taken these. */
export type Take = (events: readonly StoredEvent[]) => void | Promise<void>

/** One who follows the log. */
type Reader = {
  readonly projectId: string | undefined
  readonly take: Take
  /** The last that it has got, or did not want. */
  last: number
  /** What came while it catches up; undefined when it has, and `'lost'` when that was too much to keep. */
  backlog: StoredEvent[] | 'lost' | undefined
}

const PAGE = 500
/** The guarantee behind the wake-ups of a shared database. */
const POLL_MS = 5_000
/** Readers get what comes within this time at once: each of hundreds is a write to a socket, and no person reads faster. */
const GATHER_MS = 20

export class EventLog {
  readonly #deps: { database: Database; clock: Clock; log: Log }
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  readonly #readers = new Set<Reader>()
  /** Told, but not to the readers yet. */
  #gathered: StoredEvent[] = []
  #handedOut = Number.NEGATIVE_INFINITY
  #handingOut: NodeJS.Timeout | undefined
  #seen = 0
  /** Committed and not told yet: reading them back would cost as much as a read that a caller waits for. */
  #fresh: EventTables['events'][] = []
  #draining: Promise<void> | undefined
  #again = false
  #poll: NodeJS.Timeout | undefined

  constructor(deps: { database: Database; clock: Clock; log: Log }) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#seen = await this.latest()
    this.#deps.database.onEvents(rows => {
      // Where other hubs write, too, their events may lie between ours.
      if (rows && !this.#deps.database.shared) this.#fresh.push(...(rows as EventTables['events'][]))
      this.#wake()
    })
    if (!this.#deps.database.shared) return
    this.#poll = setInterval(() => this.#wake(), POLL_MS)
    this.#poll.unref()
  }

  async dispose(): Promise<void> {
    clearInterval(this.#poll)
    clearTimeout(this.#handingOut)
    this.#listeners.clear()
    this.#readers.clear()
    await this.#draining
  }

  async publish<P>(tx: Tx, type: EventType<P>, payload: P, by: Caller, projectId?: string): Promise<void> {
    const event = {
      at: this.#deps.clock.now(),
      type: type.type,
      project_id: projectId ?? null,
      caller: callerName(by),
      payload: JSON.stringify(payload),
      touches: JSON.stringify(type.touches(payload)),
    }
    const seq = await this.#deps.database.events.add(tx, event)
    tx.wroteEvents({ seq, ...event })
  }

  async since(seq: number, filter: EventFilter = {}, limit = PAGE): Promise<StoredEvent[]> {
    const { database } = this.#deps
    const found = await (filter.projectId === undefined
      ? selectSince(database, { seq, limit })
      : listEvents(database, { after: seq, projectId: filter.projectId, limit }).then(rows => rows.reverse()))
    return found.map(stored)
  }

  /** Newest first. */
  async list(query: EventQuery): Promise<StoredEvent[]> {
    return (await listEvents(this.#deps.database, query)).map(stored)
  }

  async latest(): Promise<number> {
    const rows: Rows = this.#deps.database
    const row = await rows
      .tables<EventTables>()
      .selectFrom('events')
      .select('seq')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.seq ?? 0
  }

  /** The last event of a type in a project whose payload says this. */
  async newestOf<P>(
    { type }: EventType<P>,
    projectId: string,
    said: Partial<P> & object,
  ): Promise<{ seq: number; at: number; caller: string } | undefined> {
    const like = Object.entries(said).map(
      ([name, value]) =>
        `%${JSON.stringify({ [name]: value })
          .slice(1, -1)
          .replace(/[%_]/g, '_')}%`,
    )
    const [newest] = await listEvents(this.#deps.database, { types: [type], projectId, like, limit: 1 })
    return newest
  }

  /** The newest that was told: whatever is read from now on includes it. */
  get seen(): number {
    return this.#seen
  }

  /** How many listeners get each event. */
  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Every event from now on, in order, after its commit. */
  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * What came after `seq`, then what comes, until the signal: each once and none left out. However many there are, the table is
   * read for one of them only while it catches up.
   */
  async feed(seq: number, signal: AbortSignal, { projectId }: EventFilter, take: Take): Promise<void> {
    const reader: Reader = { projectId, take, last: seq, backlog: [] }
    this.#readers.add(reader)
    try {
      while (reader.backlog !== undefined && !signal.aborted) await this.#catchUp(reader)
      if (!signal.aborted) await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    } finally {
      this.#readers.delete(reader)
    }
  }

  /** The same, one by one, for one who waits for something to happen. */
  async *follow(seq: number, signal: AbortSignal, filter: EventFilter = {}): AsyncGenerator<StoredEvent> {
    const waiting: StoredEvent[] = []
    let wake = () => {}
    let failure: { error: unknown } | undefined
    const left = new AbortController()
    const either = AbortSignal.any([signal, left.signal])
    const fed = this.feed(seq, either, filter, events => {
      waiting.push(...events)
      wake()
    }).catch((error: unknown) => {
      failure = { error }
      wake()
    })
    either.addEventListener('abort', () => wake())
    try {
      while (!signal.aborted) {
        const next = waiting.shift()
        if (next) yield next
        else if (failure) throw failure.error
        else await new Promise<void>(resolve => (wake = resolve))
      }
    } finally {
      left.abort()
      await fed
    }
  }

  /** Events that are handed out after this question are in the backlog; those from before it are in the table. */
  async #catchUp(reader: Reader): Promise<void> {
    reader.backlog = []
    const filter = reader.projectId === undefined ? {} : { projectId: reader.projectId }
    const page = await this.since(reader.last, filter)
    await this.#give(reader, page)
    // Not `[]` any more.
    const came = reader.backlog as Reader['backlog']
    if (page.length === PAGE || came === 'lost') return
    reader.backlog = undefined
    await this.#give(reader, came ?? [])
  }

  #give(reader: Reader, events: readonly StoredEvent[]): void | Promise<void> {
    const fresh = events.filter(({ seq }) => seq > reader.last)
    const newest = fresh.at(-1)
    if (!newest) return undefined
    reader.last = newest.seq
    return reader.take(fresh)
  }

  #gather(events: readonly StoredEvent[]): void {
    if (this.#readers.size === 0) return
    this.#gathered.push(...events)
    if (this.#handingOut) return
    const wait = this.#handedOut + GATHER_MS - this.#deps.clock.monotonic()
    if (wait <= 0) return this.#handOut()
    this.#handingOut = setTimeout(() => this.#handOut(), wait)
    this.#handingOut.unref()
  }

  #handOut(): void {
    this.#handingOut = undefined
    this.#handedOut = this.#deps.clock.monotonic()
    const events = this.#gathered
    this.#gathered = []
    for (const reader of this.#readers) {
      const { projectId, backlog } = reader
      const own = projectId === undefined ? events : events.filter(event => event.project_id === projectId)
      if (backlog === undefined) void this.#give(reader, own)
      else if (backlog === 'lost' || backlog.length + own.length > PAGE) reader.backlog = 'lost'
      else backlog.push(...own)
    }
  }

  #wake(): void {
    this.#again = true
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
  }

  async #drain(): Promise<void> {
    while (this.#again) {
      // After the answers of the calls that wrote the events: those callers wait, listeners do not.
      await new Promise<void>(resolve => setImmediate(resolve))
      this.#again = false
      try {
        const fresh = this.#fresh
        this.#fresh = []
        if (follows(this.#seen, fresh)) this.#tell(fresh.map(stored))
        else if (!(await this.#skip())) await this.#dispatch()
      } catch (error) {
        // The database is away; the poll or the next commit comes back to what was missed.
        this.#deps.log.warn({ err: error }, 'events could not be read')
      }
    }
  }

  /** Without a listener, also none that began meanwhile, nothing need be read. */
  async #skip(): Promise<boolean> {
    const isAlone = () => this.#listeners.size + this.#readers.size === 0
    if (!isAlone()) return false
    const latest = await this.latest()
    if (isAlone()) this.#seen = latest
    return isAlone()
  }

  async #dispatch(): Promise<void> {
    for (;;) {
      const page = await this.since(this.#seen)
      this.#tell(page)
      if (page.length < PAGE) return
    }
  }

  #tell(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#seen = event.seq
      for (const listener of this.#listeners) listener(event)
    }
    this.#gather(events)
  }
}

function stored(row: EventTables['events']): StoredEvent {
  return {
    ...row,
    at: iso(row.at),
    payload: JSON.parse(row.payload) as unknown,
    touches: JSON.parse(row.touches) as string[],
  }
}

/** Nothing is missing between what was told and these, nor among them; else the log itself is read. */
function follows(seen: number, rows: readonly EventTables['events'][]): boolean {
  return rows.length > 0 && rows.every((row, index) => row.seq === seen + 1 + index)
}
