import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { placeFor } from '#test/database.ts'
import type { Database } from '../db/db.ts'

const TABLE = { name: 'texts', source: { table: 'sources', a: 'a', b: 'b', scope: 'scope' } }

/** How many pages of rows that are not sorted in yet a search would have to read. Asking sorts them in. */
async function pending(database: Database): Promise<number> {
  const asked = sql<{ pages: number }>`SELECT gin_clean_pending_list('texts_grams'::regclass) AS pages`
  return Number((await asked.execute(database.tables())).rows[0]?.pages)
}

test('what was written lately is sorted in without a restart, and outside of the write lock', async () => {
  await using place = await placeFor('postgres')
  await using database = await place.open([
    { id: 'test.1', up: (db, { search }) => search.substring.create(db, TABLE) },
  ])
  const write = (from: number) =>
    database.tx(async tx => {
      for (let id = from; id < from + 50; id++) {
        await database.search.substring.add(tx, TABLE, [{ id, scope: 1, a: `${id} `.repeat(200), b: 'b' }])
      }
    })
  await write(0)
  expect(await pending(database)).toBeGreaterThan(0)
  await write(1000)
  // A writer that holds the lock is not waited for.
  await database.tx(() => database.search.tidy(database))
  expect(await pending(database)).toBe(0)
})
