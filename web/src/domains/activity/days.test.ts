import { expect, test } from 'vitest'
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
