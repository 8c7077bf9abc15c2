// Which events are about what. Filled on demand, from where the last query left off: writers of events pay nothing for it, and a log that
// came from an older version or an import is read once. Knows no event by name: the caller says which ids an event holds.
import type { Kysely } from 'kysely'
import type { StoredEvent } from '#contract/events.ts'
import type { Database, Rows, Tx } from './db/db.ts'
import type { Migration } from './db/migrate.ts'

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
const PAGE = 500
/** A row has two values, and a statement of SQLite takes a limited number of them. */
const ROWS = 400

export type IdsOf = (event: Pick<StoredEvent, 'type' | 'payload'>) => Iterable<string>

export class EventSubjects {
  readonly #database: Database
  readonly #idsOf: IdsOf
  #filling: Promise<void> | undefined

  constructor(database: Database, idsOf: IdsOf) {
    this.#database = database
    this.#idsOf = idsOf
  }

  /** Up to the newest event. */
  async fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
    })
    await this.#filling
  }

  /** After an import: the numbers mean other events now. */
  async clear(tx: Tx): Promise<void> {
    await tx.tables<Tables>().deleteFrom('event_subjects').execute()
  }

  async #fill(): Promise<void> {
    // A look without a transaction first: mostly there is nothing to do.
    while (await this.#isBehind()) await this.#database.tx(tx => this.#page(tx.tables<Tables>()))
  }

  async #isBehind(): Promise<boolean> {
    const rows: Rows = this.#database
    const q = rows.tables<Tables>()
    const next = await q
      .selectFrom('events')
      .select('seq')
      .where('seq', '>', await reachOf(q))
      .limit(1)
      .executeTakeFirst()
    return next !== undefined
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
