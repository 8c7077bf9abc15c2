import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventType, type StoredEvent } from '#contract/events.ts'
import { placeFor, quietLog } from '#test/database.ts'
import { databases } from '#test/hub.ts'
import { until } from '#test/until.ts'
import { systemClock } from './clock.ts'
import type { Database } from './db/db.ts'
import { EventLog, eventMigrations } from './events.ts'

const Counted = eventType('test.counted', z.object({ n: z.int() }), ({ n }) => [`count://${n}`])
const operator = { kind: 'operator' } as const

async function logOn(database: Database): Promise<EventLog> {
  const events = new EventLog({ database, clock: systemClock, log: quietLog() })
  await events.start()
  return events
}

const count = (database: Database, events: EventLog, n: number, project?: string) =>
  database.tx(tx => events.publish(tx, Counted, { n }, operator, project))

const numbers = (events: StoredEvent[]) => events.map(({ payload }) => (payload as { n: number }).n)

/** The next `many` events after `seq`. */
async function follow(events: EventLog, seq: number, many: number, filter = {}): Promise<StoredEvent[]> {
  const enough = new AbortController()
  const seen: StoredEvent[] = []
  for await (const event of events.follow(seq, enough.signal, filter)) {
    seen.push(event)
    if (seen.length === many) enough.abort()
  }
  return seen
}

describe.each(databases)('on %s', kind => {
  test('events are read in the order of their commits, with what they touch', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const heard: StoredEvent[] = []
    events.subscribe(event => heard.push(event))
    await Promise.all(Array.from({ length: 700 }, (_, n) => count(database, events, n)))
    await until(() => heard.length === 700)
    expect(numbers(heard)).toEqual(Array.from({ length: 700 }, (_, n) => n))
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, index) => index + 1))
    expect(heard[3]).toMatchObject({
      type: 'test.counted',
      caller: 'operator',
      project_id: null,
      touches: ['count://3'],
    })
    await events.dispose()
  })

  test('a verb that was taken back leaves no event', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const refused = database.tx(async tx => {
      await events.publish(tx, Counted, { n: 1 }, operator)
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    await count(database, events, 2)
    expect(numbers(await events.since(0))).toEqual([2])
    await events.dispose()
  })

  test('a reader that was away goes on where it was, also after a restart, and then hears what comes', async () => {
    await using place = await placeFor(kind)
    let last = 0
    {
      await using database = await place.open(eventMigrations)
      const events = await logOn(database)
      for (const n of [1, 2, 3]) await count(database, events, n)
      const seen = await follow(events, 0, 2)
      expect(numbers(seen)).toEqual([1, 2])
      last = seen.at(-1)?.seq ?? 0
      await events.dispose()
    }
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const reading = follow(events, last, 3)
    for (const n of [4, 5]) await count(database, events, n)
    expect(numbers(await reading)).toEqual([3, 4, 5])
    await events.dispose()
  })

  test('a reader of one project hears of no other', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const reading = follow(events, 0, 2, { projectId: 'a' })
    for (const [n, project] of ['a', 'b', undefined, 'a'].entries()) await count(database, events, n, project)
    expect(numbers(await reading)).toEqual([0, 3])
    await events.dispose()
  })
})

test('two hubs on one PostgreSQL database wake each other, and agree on the order', async () => {
  await using place = await placeFor('postgres')
  await using one = await place.open(eventMigrations)
  await using two = await place.open(eventMigrations)
  const here = await logOn(one)
  const there = await logOn(two)
  const heard: StoredEvent[] = []
  there.subscribe(event => heard.push(event))
  await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? count(one, here, n) : count(two, there, n))))
  await until(() => heard.length === 60)
  expect(heard.map(({ seq }) => seq)).toEqual((await here.since(0)).map(({ seq }) => seq))
  expect(new Set(numbers(heard)).size).toBe(60)
  await here.dispose()
  await there.dispose()
})
