import { expect, test } from 'vitest'
import { type DetachKey, DetachWatch, parseDetachKey } from './detach-key.ts'

test.each([
  ['ctrl-\\', 'Ctrl-\\', ['\x1c']],
  ['CTRL-Q', 'Ctrl-Q', ['\x11']],
  ['ctrl-b,d', 'Ctrl-B d', ['\x02', 'd']],
  ['ctrl-p,ctrl-q', 'Ctrl-P Ctrl-Q', ['\x10', '\x11']],
])('%s is a detach key', (text, shown, keys) => {
  expect(parseDetachKey(text)).toEqual({ shown, keys })
})

test.each(['', 'q', 'd,ctrl-b', 'ctrl-', 'ctrl-m', 'ctrl-[', 'ctrl-é', 'alt-x', 'ctrl-a,b,c,d', 'ctrl-b,'])(
  '%j is none',
  text => {
    expect(parseDetachKey(text)).toBeUndefined()
  },
)

function read(key: string, ...chunks: string[]): (string | undefined)[] {
  const watch = new DetachWatch(parseDetachKey(key) as DetachKey)
  return chunks.map(chunk => watch.read(Buffer.from(chunk, 'latin1'))?.toString('latin1'))
}

test('one key leaves at once, wherever it stands', () => {
  expect(read('ctrl-\\', 'abc', '\x1c')).toEqual(['abc', undefined])
  expect(read('ctrl-\\', 'ab\x1ccd')).toEqual([undefined])
})

test('of two keys, the first alone is held back until it is clear that it was meant', () => {
  expect(read('ctrl-b,d', 'x\x02', 'd')).toEqual(['x', undefined])
  expect(read('ctrl-b,d', '\x02', 'c')).toEqual(['', '\x02c'])
  expect(read('ctrl-b,d', '\x02\x02', 'd')).toEqual(['\x02', undefined])
})

test.each(['\x1b[92;5u', '\x1b[27;5;92~', '\x1b[92;5:1u'])('is known in the longer form %j, too', form => {
  expect(read('ctrl-\\', form)).toEqual([undefined])
  expect(read('ctrl-q', form)).toEqual([form])
})

test('passes every byte on as it is', () => {
  const bytes = Array.from({ length: 256 }, (_, at) => String.fromCharCode(at)).join('')
  expect(read('ctrl-\\', bytes.replace('\x1c', ''))).toEqual([bytes.replace('\x1c', '')])
})
