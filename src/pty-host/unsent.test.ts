import { expect, test } from 'vitest'
import { Unsent } from './unsent.ts'

test.each([
  ['nothing', [], false],
  ['letters', ['fix the ro'], true],
  ['letters and Enter', ['fix', '\r'], false],
  ['letters, Enter, letters', ['fix\rthe'], true],
  ['letters that were all taken back', ['ab', '\x7f', '\x7f', '\x7f'], false],
  ['letters of which one is left', ['ab', '\x7f'], true],
  ['Japanese', ['屋根'], true],
  ['a dropped line', ['fix the', '\x15'], false],
  ['an interrupted line', ['fix the', '\x03'], false],
  ['arrows, function keys and Escape', ['\x1b[A', '\x1bOP', '\x1b', '\x1b[1;5C'], false],
  ['a paste with line breaks', ['\x1b[200~one\rtwo\x1b[201~'], true],
  ['a paste that was sent', ['\x1b[200~one\rtwo\x1b[201~', '\r'], false],
])('%s', (_, keys, any) => {
  const unsent = new Unsent()
  for (const key of keys) unsent.typed(Buffer.from(key))
  expect(unsent.any).toBe(any)
})
