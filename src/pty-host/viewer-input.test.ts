import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewerInput, withoutAnswers } from './viewer-input.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function typed(...chunks: string[]): string {
  let passed = ''
  const input = new ViewerInput(bytes => (passed += bytes.toString('latin1')))
  for (const chunk of chunks) input.push(Buffer.from(chunk, 'latin1'))
  vi.runAllTimers()
  return passed
}

test.each([
  ['device attributes', '\x1b[?1;2c'],
  ['secondary attributes', '\x1b[>41;354;0c'],
  ['tertiary attributes', '\x1bP!|00000000\x1b\\'],
  ['status', '\x1b[0n'],
  ['cursor position', '\x1b[24;80R'],
  ['extended cursor position', '\x1b[?24;80;1R'],
  ['a mode', '\x1b[?2026;2$y'],
  ['a setting', '\x1bP1$r0 q\x1b\\'],
  ['a colour, ended by a bell', '\x1b]11;rgb:1e1e/1e1e/1e1e\x07'],
  ['a colour, ended as it should be', '\x1b]10;rgb:ffff/ffff/ffff\x1b\\'],
  ['the clipboard', '\x1b]52;c;cm0gLXJmIC8K\x07'],
  ['the size of the window', '\x1b[8;24;80t'],
  ['the title of the window', '\x1b]lrm -rf /\x1b\\'],
  ['terminal parameters', '\x1b[2;1;1;128;128;1;0x'],
  ['keyboard flags', '\x1b[?5u'],
  ['the name of the terminal', '\x1bP>|xterm(390)\x1b\\'],
  ['a graphics answer', '\x1b_Gi=31;OK\x1b\\'],
])('%s is an answer of the terminal and not typed', (_name, answer) => {
  expect(typed(`a${answer}b`)).toBe('ab')
  expect(typed(...`a${answer}b`.split(''))).toBe('ab')
})

test.each([
  ['letters', 'hello'],
  ['Escape alone', '\x1b'],
  ['Escape twice', '\x1b\x1b'],
  ['arrows', '\x1b[A\x1b[1;5C\x1bOA'],
  ['function keys', '\x1bOP\x1b[15~\x1b[17;2~'],
  ['Alt and a letter', '\x1bb'],
  ['Alt and a bracket', '\x1b['],
  ['Alt and P, alone', '\x1bP'],
  ['a paste', '\x1b[200~text\x1b[201~'],
  ['a key of the keyboard protocol', '\x1b[97;5u'],
  ['a mouse report', '\x1b[<0;10;20M\x1b[<0;10;20m'],
  ['a mouse report of the oldest kind, with bytes that look like an answer', '\x1b[M c!'],
  ['focus', '\x1b[I\x1b[O'],
  ['control keys', '\x03\x04\x1a\r\n\t\x7f'],
  ['Home and Delete', '\x1b[H\x1b[3~'],
])('%s is typed', (_name, keys) => {
  expect(typed(keys)).toBe(keys)
})

test('what is split over two reads is still known', () => {
  expect(typed('x\x1b', '[?1;', '2cy')).toBe('xy')
  expect(typed('\x1b', '[A')).toBe('\x1b[A')
})

test('Escape is passed on after a moment, and what comes later stands for itself', () => {
  const passed: string[] = []
  const input = new ViewerInput(bytes => passed.push(bytes.toString()))
  input.push(Buffer.from('\x1b'))
  expect(passed).toEqual([])
  vi.runAllTimers()
  input.push(Buffer.from('[A'))
  expect(passed).toEqual(['\x1b', '[A'])
})

test('an answer that never ends is dropped, whatever its length', () => {
  expect(typed('\x1b]52;c;AAAA')).toBe('')
  expect(typed('\x1b[?62;')).toBe('')
  expect(typed(`\x1bP${'x'.repeat(100_000)}`)).toBe('')
})

test('the one-character form that a terminal can be told to use is an answer, too', () => {
  expect(typed('a\xc2\x9b?1;2cb')).toBe('ab')
  expect(typed('a\xc2\x9d11;rgb:0/0/0\x07b')).toBe('ab')
  expect(typed('\xc2\xa9 \xe6\x97\xa5')).toBe('\xc2\xa9 \xe6\x97\xa5')
})

test('however it is cut, the same comes out', () => {
  const pieces = fc.constantFrom(
    '\x1b',
    '[',
    '?',
    '1',
    ';',
    'c',
    'R',
    'n',
    'P',
    ']',
    '\\',
    '\x07',
    'M',
    'a',
    'A',
    '<',
    '$',
    'y',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), letters => {
      const whole = letters.join('')
      expect(typed(...whole.split(''))).toBe(typed(whole))
    }),
    { numRuns: 2000 },
  )
})

test('never makes bytes that were not there, and text without Escape stays as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const { kept, rest } = withoutAnswers(Buffer.from(bytes))
      expect(kept.length + rest.length).toBeLessThanOrEqual(bytes.length)
      if (!bytes.includes(0x1b)) expect(kept).toEqual(Buffer.from(bytes))
    }),
  )
})
