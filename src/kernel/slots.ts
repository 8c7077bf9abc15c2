// Owns the slots of limited things. A request gets all the slots it asks for or none; they survive the hub.
import type { Migration } from './db/migrate.ts'
import type { Rows, Tx } from './db/db.ts'

type SlotTables = { slots: { pool: string; holder: string; at: number } }

export const slotMigrations: Migration[] = [
  {
    id: 'slots.1',
    async up(db) {
      await db.schema
        .createTable('slots')
        .addColumn('pool', 'text', c => c.notNull())
        .addColumn('holder', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('slots_holder', ['pool', 'holder'])
        .execute()
    },
  },
]

/** Takes one slot for each holder, in the transaction that creates them. */
export async function takeSlots(
  tx: Tx,
  pool: string,
  limit: number,
  holders: readonly string[],
  now: number,
): Promise<boolean> {
  if (holders.length === 0) return true
  const q = tx.tables<SlotTables>()
  const taken = await q.selectFrom('slots').select('holder').where('pool', '=', pool).execute()
  if (taken.length + holders.length > limit) return false
  await q
    .insertInto('slots')
    .values(holders.map(holder => ({ pool, holder, at: now })))
    .execute()
  return true
}

export async function slotsTaken(rows: Rows, pool: string): Promise<number> {
  const q = rows.tables<SlotTables>().selectFrom('slots').where('pool', '=', pool)
  const row = await q.select(eb => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Giving back what is not held changes nothing. `part`: it is given back there, too. */
export async function freeSlot(tx: Tx, pool: string, holder: string, part: string | null = null): Promise<void> {
  const pools = part === null ? [pool] : [pool, partOf(pool, part)]
  await tx.tables<SlotTables>().deleteFrom('slots').where('pool', 'in', pools).where('holder', '=', holder).execute()
}

/** The pool of a part that may have a smaller limit of its own. A holder of a slot there also takes one of the whole pool. */
export function partOf(pool: string, part: string): string {
  return `${pool} ${part}`
}
