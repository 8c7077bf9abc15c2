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
  const sums = (runs: number, cost_usd = 0) => ({ runs, failures: 1, cost_usd, tokens: 10 })
  const day = (all: ReturnType<typeof sums>, by_engine: Record<string, ReturnType<typeof sums>>) => ({
    ...{ from: '2026-11-01T00:00:00.000Z', engines: {}, ...all, by_engine },
  })
  const days = [
    day({ runs: 4, failures: 2, cost_usd: 0.3, tokens: 20 }, { codex: sums(1, 0.1), claude: sums(3, 0.2) }),
    day({ runs: 3, failures: 2, cost_usd: 0.1, tokens: 20 }, { claude: sums(2, 0.1) }),
  ]
  const expected = [
    { engine: 'claude', sums: { runs: 5, failures: 2, cost_usd: expect.closeTo(0.3), tokens: 20 } },
    { engine: 'codex', sums: { runs: 1, failures: 1, cost_usd: 0.1, tokens: 10 } },
    { engine: null, sums: { runs: 1, failures: 1, cost_usd: 0, tokens: 10 } },
  ]
  expect(byEngine(days)).toEqual(expected)
  expect(byEngine([])).toEqual([])
  expect(byEngine([day(sums(1), { claude: sums(1) })])).toHaveLength(1)
})
