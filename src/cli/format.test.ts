import { beforeAll, expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { ago, bytes, localTime, moment, pairs } from './format.ts'
import { loadWidths } from './width.ts'

beforeAll(loadWidths)
const now = Date.parse('2026-07-10T12:00:00Z')
const at = (seconds: number) => new Date(now - seconds * 1000).toISOString()

test.each([
  [0, 'now', '今'],
  [5, '5 seconds ago', '5 秒前'],
  [119, '1 minute ago', '1 分前'],
  [7200, '2 hours ago', '2 時間前'],
  [86_400 * 3, '3 days ago', '3 日前'],
  [-60, 'in 1 minute', '1 分後'],
])('says how long ago %d s are', (seconds, en, ja) => {
  expect(ago(at(seconds), now, 'en')).toBe(en)
  expect(ago(at(seconds), now, 'ja')).toBe(ja)
})

test('is short in tables', () => {
  expect(ago(at(119), now, 'en', 'narrow')).toMatch(/^1\s?m(in)? ago$/)
  expect(ago(at(7), now, 'ja', 'narrow')).toBe('7 秒前')
})

test('gives the date of what is older than a week', () => {
  expect(ago(at(86_400 * 30), now, 'en')).toMatch(/^2026-06-1\d$/)
  expect(moment(at(86_400 * 30), fakeIo({ now }))).toMatch(/^2026-06-1\d \d\d:\d\d:\d\d$/)
  expect(moment(at(60), fakeIo({ now }))).toMatch(/^2026-07-1\d \d\d:\d\d:\d\d \(1 minute ago\)$/)
})

test('shows what is no time as it is, harmlessly', () => {
  expect(ago('\u001b[2J', now, 'en')).toBe('␛[2J')
  expect(localTime('never')).toBe('never')
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1_234_567, '1.2 MB'],
  [85_000_000_000, '85 GB'],
])('writes %d bytes', (count, text) => {
  expect(bytes(count)).toBe(text)
})

test('lines up labels and what goes on below them, and leaves out what is empty', () => {
  const text = pairs(
    [
      ['状態', 'todo'],
      ['NAME', 'one\ntwo'],
      ['none', ''],
      ['null', null],
    ],
    fakeIo(),
  )
  expect(text).toBe('  状態  todo\n  name  one\n        two')
})

test('breaks what is wider than the window between words, below where it began', () => {
  const rows: [string, string][] = [
    ['why', 'It waits for a person who says how it goes on.'],
    ['path', '/somewhere/very/far/below/the/folder/of/the/hub (in the trash)'],
  ]
  expect(pairs(rows, fakeIo({ width: 40 }))).toBe(
    [
      '  why   It waits for a person who says',
      '        how it goes on.',
      '  path  /somewhere/very/far/below/the/folder/of/the/hub',
      '        (in the trash)',
    ].join('\n'),
  )
})
