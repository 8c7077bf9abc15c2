import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventType, type StoredEvent } from '#contract/events.ts'
import { placeFor, quietLog } from '#test/database.ts'
import { databases } from '#test/hub.ts'
import { selects, watchQueries } from '#test/queries.ts'
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

  test('whoever listens is told what is stored, whether one verb was taken back among others or rows came from elsewhere', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const heard: StoredEvent[] = []
    events.subscribe(event => heard.push(event))
    const refused = database.tx(async tx => {
      await events.publish(tx, Counted, { n: 99 }, operator)
      throw new Error('no')
    })
    const written = [count(database, events, 1), count(database, events, 2, 'a')]
    await expect(refused).rejects.toThrow('no')
    await Promise.all(written)
    await database.tx(async tx => {
      await events.publish(tx, Counted, { n: 3 }, operator)
      // As an import does, which writes rows of its own.
      tx.wroteEvents()
    })
    await count(database, events, 4)
    await until(() => heard.length === 4)
    expect(numbers(heard)).toEqual([1, 2, 3, 4])
    expect(heard).toEqual(await events.since(0))
    await events.dispose()
  })

  test('a verb that goes on after a statement of its own failed is not told that it was stored', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const carelessly = database.tx(async tx => {
      const broken = tx.tables<{ nowhere: { n: number } }>().insertInto('nowhere').values({ n: 1 })
      await broken.execute().catch(() => {})
    })
    // SQLite forgets a statement that failed; PostgreSQL gives up the whole transaction, and must not do so in silence.
    if (database.shared) await expect(carelessly).rejects.toThrow('had failed')
    else await carelessly
    await count(database, events, 1)
    expect(numbers(await events.since(0))).toEqual([1])
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

describe.each(databases)('readers on %s', kind => {
  test('a hundred readers cost the database nothing beyond what one costs, and each gets what it asked for', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    await count(database, events, 0, 'a')
    const stop = new AbortController()
    const readers = Array.from({ length: 100 }, (_, index) => {
      const seen: StoredEvent[] = []
      const filter = index % 2 === 0 ? {} : { projectId: 'a' }
      const ended = events.feed(index % 3 === 0 ? 0 : 1, stop.signal, filter, fresh => void seen.push(...fresh))
      return { seen, ended, from: index % 3 === 0 ? 0 : 1, filtered: index % 2 === 1 }
    })
    await until(() => readers.every(({ seen, from }) => from === 1 || seen.length === 1))
    // One more for each, so that all of them are known to be fed by now.
    await count(database, events, 1, 'a')
    await until(() => readers.every(({ seen }) => numbers(seen).at(-1) === 1))
    using watched = watchQueries()
    for (let n = 2; n < 40; n++) await count(database, events, n, n % 4 === 0 ? 'a' : 'b')
    await count(database, events, 40, 'a')
    await until(() => readers.every(({ seen }) => numbers(seen).at(-1) === 40))
    const reads = selects(watched.take()).filter(({ sql }) => sql.includes('"events"'))
    // SQLite hands on what was written; a shared database is read once per commit at most.
    expect(reads.length).toBeLessThanOrEqual(database.shared ? 2 * 39 : 0)
    for (const { seen, from, filtered } of readers) {
      const all = Array.from({ length: 41 }, (_, n) => n).filter(n => n >= from)
      expect(numbers(seen)).toEqual(filtered ? all.filter(n => n === 1 || n % 4 === 0) : all)
    }
    stop.abort()
    await Promise.all(readers.map(({ ended }) => ended))
    await events.dispose()
  })

  test('readers that come and go while much is written miss nothing and get nothing twice', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    const total = 1500
    const writing = (async () => {
      for (let n = 0; n < total; n += 25)
        await Promise.all(Array.from({ length: 25 }, (_, more) => count(database, events, n + more)))
    })()
    /** Reads some, leaves, comes back with the last number that it has seen. */
    const restless = async (most: number) => {
      const seen: StoredEvent[] = []
      while (seen.length < total)
        seen.push(...(await follow(events, seen.at(-1)?.seq ?? 0, Math.min(most, total - seen.length))))
      return seen
    }
    const all = await Promise.all([restless(7), restless(130), restless(total)])
    await writing
    for (const seen of all) expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (_, n) => n + 1))
    await events.dispose()
  })

  test('one that takes a page slowly while it catches up gets the rest from the log, in order', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = await logOn(database)
    await count(database, events, 0)
    const stop = new AbortController()
    const seen: StoredEvent[] = []
    let goOn = () => {}
    const ended = events.feed(0, stop.signal, {}, fresh => {
      seen.push(...fresh)
      if (seen.length === 1) return new Promise<void>(resolve => (goOn = resolve))
      return undefined
    })
    await until(() => seen.length === 1)
    const heard: StoredEvent[] = []
    events.subscribe(event => heard.push(event))
    await Promise.all(Array.from({ length: 1200 }, (_, n) => count(database, events, n + 1)))
    await until(() => numbers(heard).at(-1) === 1200)
    goOn()
    await until(() => seen.length === 1201)
    expect(numbers(seen)).toEqual(Array.from({ length: 1201 }, (_, n) => n))
    stop.abort()
    await ended
    await events.dispose()
  })
})

test.runIf(databases.includes('postgres'))(
  'two hubs on one PostgreSQL database wake each other, and agree on the order',
  async () => {
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
  },
)
