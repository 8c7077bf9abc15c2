import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refusePortability } from './portable.ts'

const nested = (depth: number): unknown => (depth === 1 ? {} : { a: nested(depth - 1) })

test.each([
  ['NUL', 'a\0', 'Text must not contain NUL characters.'],
  ['NUL in a key', { 'a\0': 1 }, 'Text must not contain NUL characters.'],
  ['half a pair, deep inside', { a: [{ b: '\udfff' }] }, 'Text contains half of a surrogate pair.'],
  ['a bottomless value', nested(65), 'Arguments are nested deeper than 64 levels.'],
  ['too many entries', Array.from({ length: 10_001 }, () => 0), 'Arguments have more than 10000 entries.'],
])('refuses %s', (_, value, message) => {
  expect(refusePortability(value)).toMatchObject({ code: 'INVALID_ARGUMENT', message })
})

test.each([null, undefined, 1, 'text', '🏠', nested(64), Array.from({ length: 10_000 }, () => 0)])(
  'lets an ordinary value pass (%#)',
  value => {
    expect(refusePortability(value)).toBeUndefined()
  },
)

test('what passes has no NUL and no half pair anywhere', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      const text = JSON.stringify(value)
      const bad = text.includes('\\u0000') || /\\ud[89a-f]/.test(text)
      return (refusePortability(value) !== undefined) === bad
    }),
    { numRuns: 2_000 },
  )
})
