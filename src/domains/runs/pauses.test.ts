import { expect, test } from 'vitest'
import type { HubMoment } from '#kernel/hub-time.ts'
import { EventLog, eventMigrations } from '#kernel/events.ts'
import { placeFor, quietLog } from '#test/database.ts'
import { databases, TestClock } from '#test/hub.ts'
import { pauseMigrations, Pauses } from './pauses.ts'

/** The wall clock ticks between two looks at the clocks, as it may on any machine. */
class TickingClock extends TestClock {
  lead = 0
  override steady = () => (Date.parse('2026-01-01T00:00:00Z') + this.awake() + this.lead) as HubMoment
}

test.each(databases)('a pause ends at the time that was named, and is announced once (%s)', async kind => {
  await using place = await placeFor(kind)
  await using database = await place.open([...eventMigrations, ...pauseMigrations])
  const clock = new TickingClock()
  const events = new EventLog({ database, clock, log: quietLog() })
  const pauses = new Pauses({ db: database, events, clock })
  const until = clock.now() + 7_200_000
  await pauses.pause('scripted', until, 'limit reached', { kind: 'operator' })
  clock.lead = 1
  expect(await pauses.find('scripted')).toEqual({ engine: 'scripted', until, reason: 'limit reached' })
  await pauses.pause('scripted', until, 'limit reached', { kind: 'operator' })
  expect(await events.latest()).toBe(1)
  // A clock that was put back by an hour does not make the pause longer.
  clock.jump(-3_600_000)
  expect(await pauses.find('scripted')).toMatchObject({ until: until - 3_600_000 - 1 })
})
