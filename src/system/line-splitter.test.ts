import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.ts'

function split(chunks: Buffer[], limit = 100, keep = 1000): (string | number)[] {
  const seen: (string | number)[] = []
  const splitter = new LineSplitter(limit, keep, {
    line: bytes => seen.push(bytes.toString('utf8')),
    oversize: (bytes, size) => seen.push(bytes.length === size ? `over ${size}` : size),
  })
  for (const chunk of chunks) splitter.push(chunk)
  return seen
}

/** Cuts at any byte, also inside a character. */
function cut(bytes: Buffer, at: number[]): Buffer[] {
  const places = [...new Set(at.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length))
}

test('gives the same lines wherever the stream is cut', () => {
  const line = fc.string({ unit: 'binary', maxLength: 60 }).map(text => text.replaceAll(/[\r\n]/g, ''))
  const ending = fc.constantFrom('\n', '\r\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(line, ending)), fc.array(fc.nat()), (lines, places) => {
      const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''))
      expect(split(cut(bytes, places), 10_000, 10_000)).toEqual(lines.map(([text]) => text))
    }),
  )
})

test('tells the sizes of lines over the limits wherever the stream is cut, and goes on after them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1500 })), fc.array(fc.nat()), (sizes, places) => {
      const bytes = Buffer.from(sizes.map(size => `${'x'.repeat(size)}\n`).join(''))
      const expected = sizes.map(size => (size > 1000 ? size : size > 100 ? `over ${size}` : 'x'.repeat(size)))
      expect(split(cut(bytes, places))).toEqual(expected)
    }),
  )
})

test('a line of exactly the limit passes, its line break not counted', () => {
  expect(split([Buffer.from(`${'x'.repeat(100)}\r\n${'x'.repeat(101)}\n`)])).toEqual(['x'.repeat(100), 'over 101'])
})

test('only counts a line that is far too long', () => {
  const chunks = Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024, 'x'))
  expect(split([...chunks, Buffer.from('\nnext\n')])).toEqual([64 * 1024 * 1024, 'next'])
})

test('what has no line break yet is no line', () => {
  expect(split([Buffer.from('{"a":')])).toEqual([])
})

test('keeps the beginning of a line that is too long to keep whole, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1001, max: 4000 }), fc.array(fc.nat()), (size, places) => {
      const seen: [string, number][] = []
      const text = Array.from({ length: size }, (_, at) => String(at % 10)).join('')
      const splitter = new LineSplitter(100, 1000, {
        line: () => seen.push(['line', 0]),
        oversize: (bytes, whole) => seen.push([bytes.toString(), whole]),
      })
      for (const chunk of cut(Buffer.from(`${text}\n`), places)) splitter.push(chunk)
      expect(seen).toEqual([[text.slice(0, 1000), size]])
    }),
  )
})

test('what comes after the last line break is a line once the stream has ended, and only then', () => {
  const seen: string[] = []
  const splitter = new LineSplitter(100, 100, { line: bytes => seen.push(bytes.toString()), oversize: () => {} })
  splitter.push(Buffer.from('one\ntw'))
  splitter.push(Buffer.from('o'))
  expect(seen).toEqual(['one'])
  splitter.end()
  splitter.end()
  expect(seen).toEqual(['one', 'two'])
})

test('takes one line at a time from a chunk with several', () => {
  const seen: string[] = []
  const splitter = new LineSplitter(100, 100, { line: bytes => seen.push(bytes.toString()), oversize: () => {} })
  const chunk = Buffer.from('one\ntwo\nthr')
  const places = [0]
  for (let at = 0; at < chunk.length; places.push(at)) at = splitter.take(chunk, at)
  expect(places).toEqual([0, 4, 8, 11])
  expect([seen, splitter.pending]).toEqual([['one', 'two'], 3])
})

test('many small pieces of one line stay one line', () => {
  const pieces = Array.from({ length: 5000 }, (_, at) => Buffer.from(String(at % 10)))
  const text = Buffer.concat(pieces).toString()
  expect(split([...pieces, Buffer.from('\n')], 10_000, 10_000)).toEqual([text])
})
