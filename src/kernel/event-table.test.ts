import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventType } from '#contract/events.ts'
import { placeFor, quietLog } from '#test/database.ts'
import { databases } from '#test/hub.ts'
import { systemClock } from './clock.ts'
import type { Database } from './db/db.ts'
import type { NewEvent } from './event-table.ts'
import { EventLog, eventMigrations } from './events.ts'

const logOn = (database: Database) => new EventLog({ database, clock: systemClock, log: quietLog() })

/** Types, projects and callers that are common and rare, payloads that are a few numbers and that only look like it. */
const PAYLOADS = [
  '{"decisionId":7,"topicId":1,"supersedes":null}',
  '{"n":0}',
  '{"n":-12,"m":999999999999999}',
  '{"a":1,"b":2,"c":3,"d":4}',
  '{"agentId":null}',
  '{}',
  '{"n":1.5}',
  '{"n":9007199254740991}',
  '{"n":1e21}',
  '{"a-b":1}',
  '{"title":"100 %d:5,\\"x\\":6"}',
  '{"n":1,"title":"%s"}',
  '{"nested":{"n":1},"list":[1,2]}',
  '{"yes":true,"n":3}',
]
const numbered = (_: unknown, n: number): NewEvent => ({
  at: 1_700_000_000_000 + n,
  type: n % 97 === 0 ? 'rare.one' : `common.${n % 3}`,
  project_id: n % 5 === 0 ? null : `prj_${n % 4}`,
  caller: n % 61 === 0 ? 'agent:rare' : 'operator',
  payload: PAYLOADS[n % PAYLOADS.length] as string,
  touches: n % 2 === 0 ? '[]' : `["count://${n}"]`,
})

describe.each(databases)('on %s', kind => {
  test('a log of an earlier version is read as it was, each way to narrow it included, and goes on behind it', async () => {
    await using place = await placeFor(kind)
    const rows = Array.from({ length: 2_300 }, numbered)
    {
      await using old = await place.open(eventMigrations.filter(({ id }) => id !== 'events.5'))
      for (let from = 0; from < rows.length; from += 500)
        await old.tx(async tx => {
          const some = rows.slice(from, from + 500)
          await tx.tables<{ events: NewEvent }>().insertInto('events').values(some).execute()
        })
      // A gap, as those leave that are worth nothing any more.
      await old.tx(async tx => {
        const q = tx.tables<{ events: NewEvent & { seq: number } }>()
        await q.deleteFrom('events').where('seq', 'in', [70, 71, 900]).execute()
      })
    }
    await using database = await place.open(eventMigrations)
    const stored = await database
      .tables<{ events: NewEvent & { seq: number } }>()
      .selectFrom('events')
      .selectAll()
      .orderBy('seq')
      .execute()
    const expected = rows
      .map((row, index) => ({ seq: index + 1, ...row }))
      .filter(({ seq }) => ![70, 71, 900].includes(seq))
    expect(stored).toEqual(expected)
    const events = logOn(database)
    const Query = fc.record(
      {
        types: fc.subarray(['rare.one', 'common.0', 'common.1', 'never.was'], { minLength: 1 }),
        projectId: fc.constantFrom('prj_1', 'prj_2', 'prj_none'),
        caller: fc.constantFrom('operator', 'agent:rare', 'agent:none'),
        before: fc.integer({ min: 0, max: 2_400 }),
        after: fc.integer({ min: 0, max: 2_400 }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(Query, fc.integer({ min: 1, max: 80 }), async (query, limit) => {
        const { types, projectId, caller, before, after } = query
        const fitting = expected
          .filter(({ type }) => types === undefined || types.includes(type))
          .filter(row => projectId === undefined || row.project_id === projectId)
          .filter(row => caller === undefined || row.caller === caller)
          .filter(({ seq }) => seq < (before ?? Infinity) && seq > (after ?? 0))
          .map(({ seq }) => seq)
        const forward = after !== undefined && before === undefined
        const kept = forward ? fitting.slice(0, limit) : fitting.slice(-limit)
        expect((await events.list({ ...query, limit })).map(({ seq }) => seq)).toEqual(kept.reverse())
      }),
      { numRuns: 150 },
    )
    const Added = eventType('rare.one', z.object({ n: z.int() }), () => [])
    await database.tx(tx => events.publish(tx, Added, { n: 5 }, { kind: 'operator' }, 'prj_1'))
    const [newest] = await events.list({ types: ['rare.one'], projectId: 'prj_1', limit: 1 })
    expect(newest).toMatchObject({ seq: 2_301, payload: { n: 5 }, touches: [], caller: 'operator' })
  })

  test('what is published is what is read, whatever the payload, also when a verb before it was taken back', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(eventMigrations)
    const events = logOn(database)
    const Any = eventType('test.any', z.unknown(), () => [])
    const Lost = eventType('test.lost', z.object({ lost: z.int() }), () => [])
    const publish = (payload: unknown) =>
      database.tx(tx => events.publish(tx, Any, payload, { kind: 'operator' }, 'prj_x'))
    // The words that it brought are taken back with it.
    const lost = database.tx(async tx => {
      await events.publish(tx, Lost, { lost: 1 }, { kind: 'operator' }, 'prj_lost')
      throw new Error('taken back')
    })
    await Promise.all([expect(lost).rejects.toThrow('taken back'), ...PAYLOADS.map(text => publish(JSON.parse(text)))])
    const found = await events.since(0)
    const types = found.map(({ type, project_id }) => `${type} ${project_id}`)
    expect(new Set(types)).toEqual(new Set(['test.any prj_x']))
    expect(found.map(({ payload }) => payload)).toEqual(PAYLOADS.map(text => JSON.parse(text) as unknown))
  })
})
