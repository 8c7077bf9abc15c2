// What a person has looked at and put aside. The only fact of the inbox that is stored; all else in it is derived.
import type { Caller } from '#contract/caller.ts'
import { InboxError, InboxSeen, InboxSnoozed } from '#contract/inbox.ts'
import { type Clock, iso } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import type { EventLog } from '#kernel/events.ts'

type InboxTables = { inbox_seen: { item_id: string; at: number; until: number | null } }

export const inboxMigrations: Migration[] = [
  {
    id: 'inbox.1',
    async up(db, column) {
      await db.schema
        .createTable('inbox_seen')
        .addColumn('item_id', column.id, c => c.primaryKey())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
    },
  },
  {
    id: 'inbox.2',
    async up(db) {
      await db.schema.alterTable('inbox_seen').addColumn('until', 'bigint').execute()
    },
  },
]

/** `since`: what happened after it was put aside is something else, and is shown. */
type Item = { id: string; since: number | null }

export class Seen {
  readonly #deps: { db: Db; events: EventLog; clock: Clock }

  constructor(deps: { db: Db; events: EventLog; clock: Clock }) {
    this.#deps = deps
  }

  mark(itemId: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      await this.#save(tx, itemId, null)
      await this.#deps.events.publish(tx, InboxSeen, { itemId }, by)
    })
  }

  snooze(itemId: string, until: number, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      if (until <= this.#deps.clock.now()) throw InboxError.SNOOZE_IN_PAST({ until: iso(until) })
      await this.#save(tx, itemId, until)
      await this.#deps.events.publish(tx, InboxSnoozed, { itemId, until }, by)
    })
  }

  /** Those that were put aside and are not back yet; and when the next one is. */
  async away(items: readonly Item[]): Promise<{ ids: Set<string>; nextAt: number | undefined }> {
    const ids = new Set<string>()
    let nextAt: number | undefined
    if (items.length === 0) return { ids, nextAt }
    const query = this.#deps.db.tables<InboxTables>().selectFrom('inbox_seen').selectAll()
    const ofAll = query.where(
      'item_id',
      'in',
      items.map(({ id }) => id),
    )
    const since = new Map(items.map(item => [item.id, item.since ?? 0]))
    const now = this.#deps.clock.now()
    for (const { item_id, at, until } of await ofAll.execute()) {
      if ((since.get(item_id) ?? 0) > at || (until !== null && until <= now)) continue
      ids.add(item_id)
      if (until !== null) nextAt = Math.min(nextAt ?? until, until)
    }
    return { ids, nextAt }
  }

  async #save(tx: Tx, itemId: string, until: number | null): Promise<void> {
    const fact = { at: this.#deps.clock.now(), until }
    await tx
      .tables<InboxTables>()
      .insertInto('inbox_seen')
      .values({ item_id: itemId, ...fact })
      .onConflict(c => c.column('item_id').doUpdateSet(fact))
      .execute()
  }
}
