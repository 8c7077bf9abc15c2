import { expect, test } from 'vitest'
import { lastDays } from './days.ts'

// The time zone of all tests is 5:45 ahead of UTC and never changes; that clocks change is tested in a browser (test/web/odd-browsers).
test('a day begins at local midnight, also over the end of a year', () => {
  const { from, to, starts } = lastDays(2, new Date('2027-01-01T00:00:00+05:45'))
  expect(starts).toEqual(['2026-12-30T18:15:00.000Z', '2026-12-31T18:15:00.000Z'])
  expect([from, to]).toEqual([starts[0], '2027-01-01T18:15:00.000Z'])
})
