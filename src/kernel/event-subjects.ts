// Which events are about what. Filled on demand, from where the last query left off, and before the rest is much: writers of events pay
// nothing for it, and nobody waits until a year is read. A log that came from an older version or an import is read once. A hub that cannot write reads what is not in the index yet event by event.
// Knows no event by name: the caller says which ids an event holds.
import type { Kysely } from 'kysely'
import { HubError } from '#contract/errors.ts'
import type { StoredEvent } from '#contract/events.ts'
import type { Database, Rows, Tx } from './db/db.ts'
import type { Migration } from './db/migrate.ts'
import { type EventQuery, isForward } from './event-list.ts'

type Tables = {
  event_subjects: { subject: string; seq: number }
  events: { seq: number; type: string; payload: string }
}

export const subjectMigration: Migration = {
  id: 'events.4',
  async up(db) {
    await db.schema
      .createTable('event_subjects')
      .addColumn('subject', 'text', c => c.notNull())
      .addColumn('seq', 'bigint', c => c.notNull())
      .addPrimaryKeyConstraint('event_subjects_key', ['subject', 'seq'])
      .execute()
  },
}

/** The row that says up to which event the index reaches: no id is empty. */
const REACH = ''
/** Events in one transaction: others wait for its end. */
const PAGE = 100
/** More than so many are not left for whoever asks. */
const MOST_LEFT = 1000
/** A row has two values, and a statement of SQLite takes a limited number of them. */
const ROWS = 400

/** Reads the log, newest first. */
type List = (query: EventQuery) => Promise<StoredEvent[]>
export type IdsOf = (event: Pick<StoredEvent, 'type' | 'payload'>) => Iterable<string>

export class EventSubjects {
  readonly #database: Database
  readonly #idsOf: IdsOf
  #filling: Promise<number | undefined> | undefined
  #heard = 0
  #gone = false

  constructor(database: Database, idsOf: IdsOf) {
    this.#database = database
    this.#idsOf = idsOf
  }

  /**
   * Up to the newest event: then undefined. Where the database takes no writes, the number of the last event that the index has; the
   * question is a read, and a hub with a full disk or with tables of a newer version reads.
   */
  async fill(): Promise<number | undefined> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
    })
    return this.#filling
  }

  /** For each event that was stored. True now and then, when it is time to keep up. */
  heard(): boolean {
    return ++this.#heard % MOST_LEFT === 0
  }

  async keepUp(): Promise<void> {
    if (await this.#isBehind(MOST_LEFT)) await this.fill()
  }

  async dispose(): Promise<void> {
    this.#gone = true
    await this.#filling
  }

  /** What the log has about a subject, newest first. `reach`: what `fill` said. */
  async list(list: List, query: EventQuery & { subject: string }, reach: number | undefined): Promise<StoredEvent[]> {
    const found = await list(query)
    if (reach === undefined) return found
    const late = await this.#unindexed(list, query, reach)
    // Another hub of the same database may have put some of them into the index meanwhile.
    const all = [...new Map([...found, ...late].map(event => [event.seq, event])).values()]
    all.sort((a, b) => b.seq - a.seq)
    return isForward(query) ? all.slice(-query.limit) : all.slice(0, query.limit)
  }

  /** After an import: the numbers mean other events now. */
  async clear(tx: Tx): Promise<void> {
    await tx.tables<Tables>().deleteFrom('event_subjects').execute()
  }

  async #fill(): Promise<number | undefined> {
    try {
      // A look without a transaction first: mostly there is nothing to do.
      while (await this.#isBehind()) {
        if (this.#gone) return await reachOf(this.#rows())
        await this.#database.tx(tx => this.#page(tx.tables<Tables>()))
      }
      return undefined
    } catch (error) {
      // A refusal that the hub has words for. What else goes wrong is a surprise, and flies.
      if (!(error instanceof HubError)) throw error
      return reachOf(this.#rows())
    }
  }

  /** Those behind the index, page by page from the end at which the query begins, until there are enough. */
  async #unindexed(list: List, query: EventQuery & { subject: string }, reach: number): Promise<StoredEvent[]> {
    const { subject, ...rest } = query
    const forward = isForward(query)
    const page = { ...rest, like: [`%${subject.replace(/[^A-Za-z0-9]/g, '%')}%`], limit: PAGE }
    let after = Math.max(query.after ?? 0, reach)
    // A number above all: without one the walk would be a forward one.
    let before = query.before ?? Number.MAX_SAFE_INTEGER
    const found: StoredEvent[] = []
    while (found.length < query.limit) {
      const events = await list(forward ? { ...page, after } : { ...page, after, before })
      found.push(...events.filter(event => new Set(this.#idsOf(event)).has(subject)))
      if (events.length < PAGE) break
      if (forward) after = events[0]?.seq ?? after
      else before = events.at(-1)?.seq ?? before
    }
    return found
  }

  async #isBehind(by = 0): Promise<boolean> {
    const q = this.#rows()
    const next = await q
      .selectFrom('events')
      .select('seq')
      .where('seq', '>', (await reachOf(q)) + by)
      // By its index: PostgreSQL would rather read the whole log where it guesses that there are many.
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    return next !== undefined
  }

  #rows(): Kysely<Tables> {
    const rows: Rows = this.#database
    return rows.tables<Tables>()
  }

  async #page(q: Kysely<Tables>): Promise<void> {
    const reach = await reachOf(q)
    const events = await q
      .selectFrom('events')
      .select(['seq', 'type', 'payload'])
      .where('seq', '>', reach)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    const last = events.at(-1)
    if (!last) return
    const found = events.flatMap(({ seq, type, payload }) => {
      const ids = new Set(this.#idsOf({ type, payload: JSON.parse(payload) as unknown }))
      return [...ids].filter(id => id !== REACH).map(subject => ({ subject, seq }))
    })
    for (let from = 0; from < found.length; from += ROWS)
      // Another hub of the same database may be filling it at the same time.
      await q
        .insertInto('event_subjects')
        .values(found.slice(from, from + ROWS))
        .onConflict(c => c.doNothing())
        .execute()
    await q.deleteFrom('event_subjects').where('subject', '=', REACH).execute()
    const reached = { subject: REACH, seq: last.seq }
    await q
      .insertInto('event_subjects')
      .values(reached)
      .onConflict(c => c.doNothing())
      .execute()
  }
}

async function reachOf(q: Kysely<Tables>): Promise<number> {
  const rows = q.selectFrom('event_subjects').select('seq').where('subject', '=', REACH)
  return (await rows.orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0
}
