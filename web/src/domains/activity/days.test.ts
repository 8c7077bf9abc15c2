import { expect, test } from 'vitest'
import { byEngine } from './engine-sums.ts'
import { dateOf, daysIn, listed, rangeOf, spanOf, startsIn } from './days.ts'

const now = new Date(2026, 10, 18, 14, 30)
const local = (...parts: [number, number, number]) => new Date(...parts).toISOString()

test('an address without days, or with some that cannot be read, is of the last 14; one about a thing is of all', () => {
  expect(daysIn(null, false)).toBe('14')
  expect(daysIn('yesterday', false)).toBe('14')
  expect(daysIn('2026-99-99..2026-11-02', false)).toBe('14')
  expect(daysIn(null, true)).toBe('all')
  expect(daysIn('7', true)).toBe('7')
  expect(daysIn('2026-11-01..2026-11-02', false)).toBe('2026-11-01..2026-11-02')
})

test('the latest days begin at a midnight and go on; a range ends after its last day', () => {
  expect(listed('today', now)).toEqual({ from: local(2026, 10, 18) })
  expect(listed('7', now)).toEqual({ from: local(2026, 10, 12) })
  expect(listed('2026-11-01..2026-11-02', now)).toEqual({ from: local(2026, 10, 1), to: local(2026, 10, 3) })
  expect(listed('all', now)).toEqual({})
  const { from, to } = spanOf('14', now)
  expect([from.toISOString(), to.toISOString()]).toEqual([local(2026, 10, 5), local(2026, 10, 19)])
  expect(startsIn(spanOf('2026-11-01..2026-11-02', now))).toEqual([local(2026, 10, 1), local(2026, 10, 2)])
})

test('a range is put in order, and cut to what the hub sums up', () => {
  expect(rangeOf('2026-11-02..2026-11-01')).toEqual({ first: '2026-11-01', last: '2026-11-02' })
  expect(rangeOf('2026-01-01..2026-12-31')).toEqual({ first: '2026-01-01', last: '2026-03-03' })
  expect(dateOf(now)).toBe('2026-11-18')
})

test('what ran is summed up by engine, the busiest first, and what a person started comes last', () => {
  const some = (sum: number | null, unknown_runs = 0) => ({ sum, unknown_runs })
  const sums = (runs: number, usd: number | null, unknown_runs = 0, tokens = 10) => ({
    ...{ runs, failures: runs, cost: { usd, unknown_runs } },
    tokens: {
      ...{ input: some(tokens), cache_read: some(0), cache_write: some(null, runs) },
      ...{ output: some(tokens), reasoning: some(0) },
    },
  })
  const day = (all: ReturnType<typeof sums>, by_engine: Record<string, ReturnType<typeof sums>>) => ({
    ...{ from: '2026-11-01T00:00:00.000Z', engines: {}, ...all, by_engine },
  })
  const days = [
    day(sums(4, 0.3, 0, 20), { codex: sums(1, 0.1), claude: sums(3, 0.2) }),
    day(sums(3, 0.1, 2, 20), { claude: sums(2, 0.1, 1) }),
  ]
  const tokens = (input: number, runs: number) => ({ input: some(input), cache_write: some(null, runs) })
  const expected = [
    { engine: 'claude', ran: { runs: 5, failures: 5, cost: some(expect.closeTo(0.3), 1), tokens: tokens(20, 5) } },
    { engine: 'codex', ran: { runs: 1, failures: 1, cost: some(0.1), tokens: tokens(10, 1) } },
    // What it cost is unknown, and not what is left when the others are taken away.
    { engine: null, ran: { runs: 1, failures: 1, cost: some(null, 1), tokens: tokens(10, 1) } },
  ]
  expect(byEngine(days)).toMatchObject(expected)
  expect(byEngine([])).toEqual([])
  expect(byEngine([day(sums(1, 0), { claude: sums(1, 0) })])).toHaveLength(1)
})
