import { expect, test } from 'vitest'
import { canonicalIn, LineMode } from './line-mode.ts'

test.each([
  ['GNU', 'speed 38400 baud; rows 24;\nisig icanon iexten echo\n', true],
  ['GNU, raw', 'isig -icanon iexten\n', false],
  ['macOS', 'lflags: icanon isig iexten echo echoe\n\t-echok\n', true],
  ['macOS, raw', 'lflags: -icanon -isig\n', false],
  ['BusyBox', 'isig icanon iexten echo', true],
  ['nothing', '', undefined],
  ['another word', 'isig xicanon icanonical', undefined],
])('the settings as %s writes them', (_, settings, canonical) => {
  expect(canonicalIn(settings)).toBe(canonical)
})

test('a terminal that is gone has no mode', async () => {
  expect(await new LineMode('/dev/pts/no-such-terminal').now()).toBeUndefined()
})
