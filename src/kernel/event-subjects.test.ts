// What is asked about one thing, where the index of it cannot be written.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { placeFor, quietLog } from '#test/database.ts'
import { insertRows } from '#test/queries.ts'
import { until } from '#test/until.ts'
import { systemClock } from './clock.ts'
import type { EventQuery } from './event-list.ts'
import { EventSubjects } from './event-subjects.ts'
import { EventLog, eventMigrations } from './events.ts'

const MANY = 1300
const event = (payload: object, type = 'x') => ({
  ...{ at: 1, type, project_id: null, caller: 'operator', payload: JSON.stringify(payload), touches: '[]' },
})
const idsOf = ({ payload }: { payload: unknown }) => [(payload as { id?: string }).id ?? '']

test('on a disk that is full, what the index lacks is read event by event, in pages as from the index', async () => {
  await using place = await placeFor('sqlite')
  await using database = await place.open(eventMigrations)
  const log = new EventLog({ database, clock: systemClock, log: quietLog() })
  const subjects = new EventSubjects(database, idsOf)
  const ask = async (query: Partial<EventQuery> & { subject?: string }) => {
    const reach = await subjects.fill()
    const wanted = { limit: 2 * MANY, subject: 'a_1', ...query }
    return (await subjects.list(one => log.list(one), wanted, reach)).map(({ seq }) => seq)
  }
  await insertRows(place.db, 'events', [event({ id: 'a_1' }), event({ id: 'b' }), event({ id: 'a_1' }, 'y')])
  expect(await ask({})).toEqual([3, 1])
  const pages = sql<{ page_count: number }>`PRAGMA page_count`
  // Nearly all of them look as if they were about it.
  const later = Array.from({ length: MANY }, (_, n) => event(n % 2 ? { id: 'ax1', said: 'a_1' } : { id: 'a_1' }))
  await insertRows(place.db, 'events', later)
  const limit = (await pages.execute(database.tables())).rows[0]?.page_count ?? 0
  await database.tx(async tx => void (await sql.raw(`PRAGMA max_page_count = ${limit}`).execute(tx.tables())))
  // The last page of the table may take some more.
  const reach = await subjects.fill()
  expect(reach).toBeGreaterThanOrEqual(3)
  expect(reach).toBeLessThan(MANY)

  const all = [...later.flatMap((_, n) => (n % 2 ? [] : [n + 4])).reverse(), 3, 1]
  expect(await ask({})).toEqual(all)
  expect(await ask({ limit: 3 })).toEqual(all.slice(0, 3))
  expect(await ask({ types: ['y'] })).toEqual([3])
  const [middle = 0] = all.slice(-5)
  expect(await ask({ before: middle })).toEqual(all.slice(-4))
  expect(await ask({ after: 1 })).toEqual(all.slice(0, -1))
  expect(await ask({ after: 1, limit: 3 })).toEqual(all.slice(-4, -1))
  expect(await ask({ after: 1, before: middle, limit: 2 })).toEqual(all.slice(-4, -2))
  expect(await ask({ subject: '%' })).toEqual([])

  // With room again, the index takes over.
  await database.tx(
    async tx => void (await sql.raw(`PRAGMA max_page_count = ${2 * limit + 1000}`).execute(tx.tables())),
  )
  expect(await subjects.fill()).toBeUndefined()
  expect(await ask({})).toEqual(all)
})

test('what is much is put into the index before anybody asks', async () => {
  await using place = await placeFor('sqlite')
  await using database = await place.open(eventMigrations)
  const subjects = new EventSubjects(database, idsOf)
  const indexed = async () =>
    Number((await sql<{ n: number }>`SELECT count(*) AS n FROM event_subjects`.execute(database.tables())).rows[0]?.n)
  await insertRows(
    place.db,
    'events',
    Array.from({ length: 1000 }, () => event({ id: 'a_1' })),
  )
  await subjects.keepUp()
  expect(await indexed()).toBe(0)
  await insertRows(place.db, 'events', [event({ id: 'a_1' })])
  // Another connection's commit is seen a moment later.
  await until(async () => {
    await subjects.keepUp()
    return (await indexed()) > 0
  })
  // And the row that says how far it reaches.
  expect(await indexed()).toBe(1002)
  expect(Array.from({ length: 2000 }, () => subjects.heard()).filter(Boolean)).toHaveLength(2)
})
