import { describe, expect, test } from 'vitest'
import { type Beat, BEAT_MS, hubTimeMigrations, resumed, StoredTime } from './hub-time.ts'
import { awakeTime, STOPPED_MS } from './clock.ts'
import { placeFor } from '#test/database.ts'
import { databases, TestClock } from '#test/hub.ts'

const HOUR = 3_600_000

describe('after a restart', () => {
  const last: Beat = { steady: 1_000_000, observed: 500, wall: 9_000_000, boot: 'a', monotonic: 70_000 }
  const cases: [string, Omit<Beat, 'steady' | 'observed'>, { steady: number; observed: number }][] = [
    ['within one boot', { boot: 'a', wall: 9_005_000, monotonic: 75_000 }, { steady: 1_005_000, observed: 5500 }],
    [
      'within one boot, the clock two hours ahead',
      { boot: 'a', wall: 9_000_000 + 2 * HOUR, monotonic: 75_000 },
      { steady: 1_005_000, observed: 5500 },
    ],
    [
      'within one boot, the clock two hours back',
      { boot: 'a', wall: 9_000_000 - 2 * HOUR, monotonic: 75_000 },
      { steady: 1_005_000, observed: 5500 },
    ],
    [
      'after another boot the wall clock is all there is',
      { boot: 'b', wall: 9_000_000 + HOUR, monotonic: 10 },
      { steady: 1_000_000 + HOUR, observed: 500 },
    ],
    [
      'after another boot with a clock put back it goes on behind the last beat',
      { boot: 'b', wall: 9_000_000 - HOUR, monotonic: 10 },
      { steady: 1_000_000 + BEAT_MS, observed: 500 },
    ],
    [
      'one boot whose monotonic clock went back is as another',
      { boot: 'a', wall: 9_000_000 + HOUR, monotonic: 10 },
      { steady: 1_000_000 + HOUR, observed: 500 },
    ],
  ]
  test.each(cases)('%s', (_, now, expected) => expect(resumed(last, now)).toEqual(expected))
})

test('time in which the process was stopped does not count as awake', () => {
  let now = 0
  const awake = awakeTime(() => now)
  now += 1000
  expect(awake()).toBe(1000)
  now += STOPPED_MS + 1
  expect(awake()).toBe(1000)
  now += 1000
  expect(awake()).toBe(2000)
})

describe.each(databases)('%s', kind => {
  test('only time in which a hub was there moves it, whatever the clock is set to', async () => {
    await using place = await placeFor(kind)
    await using database = await place.open(hubTimeMigrations)
    const clock = new TestClock()
    const time = await StoredTime.open(database, clock)
    const from = time.steady()
    expect(from).toBe(clock.now())
    clock.advance(500)
    for (const ms of [2 * HOUR, -4 * HOUR]) {
      clock.jump(ms)
      expect(time.steady()).toBe(from + 500)
      expect(time.settledFor()).toBe(0)
      expect(await time.watch()).toBe(ms)
    }
    clock.advance(500)
    expect(time.settledFor()).toBe(500)
    clock.freeze(HOUR)
    expect(time.settledFor()).toBe(0)
    expect(await time.watch()).toBe(HOUR)
    expect(time.settledFor()).toBe(0)
    expect(time.steady()).toBe(from + 1000)
    clock.advance(500)
    expect(await time.watch()).toBeUndefined()
    expect(time.settledFor()).toBe(500)
    expect(time.steady()).toBe(from + 1500)
    expect(time.observed()).toBe(1500)
  })
})

test.runIf(databases.includes('postgres'))(
  'of several hubs the one that was awake longest is right, also for one whose clock is hours ahead',
  async () => {
    await using place = await placeFor('postgres')
    await using database = await place.open(hubTimeMigrations)
    const [here, there] = [new TestClock(), new TestClock()]
    const one = await StoredTime.open(database, here)
    const from = one.steady()
    there.reboot(5 * HOUR)
    const other = await StoredTime.open(database, there)
    expect(other.steady() - from).toBeLessThan(60_000)
    here.advance(HOUR)
    await one.beat()
    there.jump(HOUR)
    await other.watch()
    expect(other.steady() - one.steady()).toBe(0)
    await one.beat()
    expect(one.steady()).toBeLessThanOrEqual(other.steady())
  },
)
