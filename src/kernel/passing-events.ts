// Events that say how something stands, and are worth nothing once the next of them has come. Of each such type the newest stay; the
// numbers of the others are not given again, since the newest of a type is never among those that go.
import type { Rows, Tx } from './db/db.ts'

type Tables = { events: { seq: number; type: string } }

/** The numbers of those that are older than the newest `kept` of their type, oldest first. */
export async function listPassed(rows: Rows, type: string, kept: number, limit: number): Promise<number[]> {
  const own = rows.tables<Tables>().selectFrom('events').select('seq').where('type', '=', type)
  const newest = await own.orderBy('seq', 'desc').offset(kept).limit(1).executeTakeFirst()
  if (!newest) return []
  const passed = await own.where('seq', '<=', newest.seq).orderBy('seq').limit(limit).execute()
  return passed.map(({ seq }) => seq)
}

export async function forgetPassed(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.tables<Tables>().deleteFrom('events').where('seq', 'in', numbers).execute()
}
