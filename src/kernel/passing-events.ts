// Events that say how something stands, and are worth nothing once the next of them has come. Of each such type the newest stay; the
// numbers of the others are not given again, since the newest of a type is never among those that go.
import type { Database, Tx } from './db/db.ts'
import { eventNumbers } from './event-list.ts'

type Tables = { events: { seq: number; type: string } }

/** The numbers of those that are older than the newest `kept` of their type, oldest first. */
export async function listPassed(database: Database, type: string, kept: number, limit: number): Promise<number[]> {
  const [newest] = await eventNumbers(database, { types: [type], limit: 1 }, kept)
  if (newest === undefined) return []
  const oldest = await eventNumbers(database, { types: [type], after: -1, limit })
  return oldest.filter(seq => seq <= newest)
}

export async function forgetPassed(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.tables<Tables>().deleteFrom('events').where('seq', 'in', numbers).execute()
}
