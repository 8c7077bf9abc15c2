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

test.each(databases)(
  'a refusal in a row makes the pause longer, up to an hour, until a run succeeds (%s)',
  async kind => {
    await using place = await placeFor(kind)
    await using database = await place.open([...eventMigrations, ...pauseMigrations])
    const clock = new TestClock()
    const pauses = new Pauses({ db: database, events: new EventLog({ database, clock, log: quietLog() }), clock })
    /** `retry-after`, or no time at all. Answers for how long. */
    const refused = async (seconds?: number) => {
      const now = clock.now()
      const at = seconds === undefined ? undefined : now + seconds * 1000
      return ((await pauses.pause('scripted', at, '429', { kind: 'operator' })).until - now) / 1000
    }
    const later = (seconds: number) => clock.advance(seconds * 1000 + 1)
    expect(await refused(20)).toBe(20)
    // Two that ran at the same time are one refusal.
    expect(await refused(20)).toBe(20)
    let night = 0
    let tries = 0
    for (let wait = 20; night < 10 * 3600; tries++) {
      later(wait)
      night += wait
      wait = await refused(20)
      if (tries < 4) expect(wait).toBe(20 * 2 ** (tries + 1))
      expect(wait).toBeLessThanOrEqual(3600)
    }
    expect(tries).toBeLessThan(20)
    // One that began before the pause says nothing about the account.
    await pauses.passed('scripted')
    expect(await pauses.find('scripted')).toBeDefined()
    later(3600)
    await pauses.passed('scripted')
    expect(await refused(20)).toBe(20)
    later(20)
    await pauses.resume('scripted', { kind: 'operator' })
    expect(await refused()).toBe(15 * 60)
    later(15 * 60)
    expect(await refused()).toBe(30 * 60)
    // What the program says itself counts, however far off it is.
    later(30 * 60)
    expect(await refused(5 * 3600)).toBe(5 * 3600)
  },
)
