// Owns the event log: facts written in the transaction they belong to, read in the order of their numbers.
// Knows no event by name.
import type { Generated, Kysely } from 'kysely'
import type { Caller } from '#contract/caller.ts'
import { callerName } from '#contract/caller.ts'
import type { EventType, StoredEvent } from '#contract/events.ts'
import { type Clock, iso } from './clock.ts'
import type { Database, Rows, Tx } from './db/db.ts'
import { fixed } from './db/fixed.ts'
import type { Migration } from './db/migrate.ts'
import type { Log } from './log.ts'

type EventTables = {
  events: {
    seq: number
    at: number
    type: string
    project_id: string | null
    caller: string
    payload: string
    touches: string
  }
}

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
]

/** The number is the database's to give. */
type NewEvent = Omit<EventTables['events'], 'seq'>

const insertEvent = fixed((q: Kysely<{ events: NewEvent & { seq: Generated<number> } }>, value: NewEvent) => {
  const { at, type, project_id, caller, payload, touches } = value
  return q.insertInto('events').values({ at, type, project_id, caller, payload, touches }).returning('seq')
})
const selectSince = fixed((q: Kysely<EventTables>, value: { seq: number; limit: number }) =>
  q.selectFrom('events').selectAll().where('seq', '>', value.seq).orderBy('seq').limit(value.limit),
)

export type EventFilter = { projectId?: string }

const PAGE = 500
/** The guarantee behind the wake-ups of a shared database. */
const POLL_MS = 5_000

export class EventLog {
  readonly #deps: { database: Database; clock: Clock; log: Log }
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  readonly #wakeups = new Set<() => void>()
  #seen = 0
  /** Committed and not told yet: reading them back would cost as much as a read that somebody waits for. */
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
    this.#listeners.clear()
    for (const wake of this.#wakeups) wake()
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
    const [given] = await insertEvent(tx, event)
    tx.wroteEvents({ seq: given?.seq, ...event })
  }

  async since(seq: number, filter: EventFilter = {}, limit = PAGE): Promise<StoredEvent[]> {
    const rows: Rows = this.#deps.database
    const found = await (filter.projectId === undefined
      ? selectSince(rows, { seq, limit })
      : rows
          .tables<EventTables>()
          .selectFrom('events')
          .selectAll()
          .where('seq', '>', seq)
          .where('project_id', '=', filter.projectId)
          .orderBy('seq')
          .limit(limit)
          .execute())
    return found.map(stored)
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

  /** How many are told of each event. */
  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Every event from now on, in order, after its commit. */
  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** What came after `seq`, then what comes, until the signal. A reader that was away misses nothing. */
  async *follow(seq: number, signal: AbortSignal, filter: EventFilter = {}): AsyncGenerator<StoredEvent> {
    let woken = false
    let wake = () => {}
    const onWake = () => {
      woken = true
      wake()
    }
    this.#wakeups.add(onWake)
    signal.addEventListener('abort', onWake)
    try {
      let last = seq
      while (!signal.aborted) {
        woken = false
        const page = await this.since(last, filter)
        for (const event of page) {
          if (signal.aborted) return
          yield event
          last = event.seq
        }
        if (page.length === PAGE || woken) continue
        await new Promise<void>(resolve => {
          wake = resolve
          if (woken) resolve()
        })
      }
    } finally {
      this.#wakeups.delete(onWake)
      signal.removeEventListener('abort', onWake)
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
      // After the answers of the calls that wrote the events: nobody waits for these as those do for theirs.
      await new Promise<void>(resolve => setImmediate(resolve))
      this.#again = false
      for (const wake of this.#wakeups) wake()
      try {
        const fresh = this.#fresh
        this.#fresh = []
        if (follows(this.#seen, fresh)) this.#tell(fresh.map(stored))
        else if (this.#listeners.size === 0) this.#seen = await this.latest()
        else await this.#dispatch()
      } catch (error) {
        // The database is away; the poll or the next commit comes back to what was missed.
        this.#deps.log.warn({ err: error }, 'events could not be read')
      }
    }
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
