import fc from 'fast-check'
import { expect, test } from 'vitest'
import { iso } from './clock.ts'

test('writes a time as the language does', () => {
  const anyTime = fc.integer({ min: -8.64e15, max: 8.64e15 })
  const ours = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
  fc.assert(
    fc.property(fc.oneof(ours, anyTime), at => iso(at) === new Date(at).toISOString()),
    { numRuns: 2000 },
  )
})

test.each([
  0,
  -1,
  1.5,
  Date.UTC(2024, 1, 29, 23, 59, 59, 999),
  Date.UTC(9999, 11, 31, 23, 59, 59, 999),
  Date.UTC(10000, 0),
  -62_167_219_200_001,
])('%s, at an edge', at => {
  expect(iso(at)).toBe(new Date(at).toISOString())
})

test('what is no time is refused', () => {
  expect(() => iso(Number.NaN)).toThrow(RangeError)
  expect(() => iso(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  expect(() => iso(8.65e15)).toThrow(RangeError)
})
