import { beforeAll, expect, test } from 'vitest'
import { loadWidths, widthOf } from './width.ts'
import { fitted, wrap } from './wrap.ts'

beforeAll(loadWidths)

test('breaks at words, and keeps a word that is longer than the line whole', () => {
  expect(wrap('one two three', 7)).toBe('one two\nthree')
  expect(wrap('see /home/hana/file now', 8)).toBe('see\n/home/hana/file\nnow')
  expect(wrap('a\n\nb', 5)).toBe('a\n\nb')
})

test('breaks Japanese anywhere but before a mark, also one that follows Latin text', () => {
  const text = 'ターミナルを保持するプロセスが強制終了され (11:41:21)、次のタブも終了しました。やっと'
  for (let width = 12; width < 60; width++) {
    const lines = wrap(text, width).split('\n')
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    for (const line of lines) {
      expect(widthOf(line), line).toBeLessThanOrEqual(width)
      expect(line).not.toMatch(/^[、。)ーっ]/)
    }
  }
})

test('fits sentences to a window and leaves alone what is laid out, is to be copied, or has no window', () => {
  const command = '  toryo task answer shop-1 "The one with the blue door"'
  expect(fitted(`A sentence of several words.\n${command}`, 20)).toBe(`A sentence of\nseveral words.\n${command}`)
  expect(fitted('+ a line of a diff that is long', 10)).toBe('+ a line of a diff that is long')
  expect(fitted('A sentence of several words.', undefined)).toBe('A sentence of several words.')
})
