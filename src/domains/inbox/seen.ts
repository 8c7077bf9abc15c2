// What a person has looked at and put aside. The only fact of the inbox that is stored; all else in it is derived.
import type { Caller } from '#contract/caller.ts'
import { InboxSeen } from '#contract/inbox.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import type { EventLog } from '#kernel/events.ts'

type InboxTables = { inbox_seen: { item_id: string; at: number } }

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
]

export class Seen {
  readonly #deps: { db: Db; events: EventLog; clock: Clock }

  constructor(deps: { db: Db; events: EventLog; clock: Clock }) {
    this.#deps = deps
  }

  mark(itemId: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const row = { item_id: itemId, at: this.#deps.clock.now() }
      const added = tx.tables<InboxTables>().insertInto('inbox_seen').values(row)
      const rows = await added
        .onConflict(c => c.doNothing())
        .returning('item_id')
        .execute()
      if (rows.length > 0) await this.#deps.events.publish(tx, InboxSeen, { itemId }, by)
    })
  }

  async among(itemIds: readonly string[]): Promise<Set<string>> {
    if (itemIds.length === 0) return new Set()
    const query = this.#deps.db.tables<InboxTables>().selectFrom('inbox_seen').select('item_id')
    const rows = await query.where('item_id', 'in', [...itemIds]).execute()
    return new Set(rows.map(row => row.item_id))
  }
}
