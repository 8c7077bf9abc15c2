import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText, visible, visibleLine } from './escape.ts'

const attacks: [name: string, text: string, shown: string][] = [
  ['a colour', '\u001b[31mred', '␛[31mred'],
  ['a window title', '\u001b]0;pwned\u0007', '␛]0;pwned␇'],
  ['the clipboard', '\u001b]52;c;cm0gLXJm\u001b\\', '␛]52;c;cm0gLXJm␛\\'],
  ['an 8-bit control', '\u009b2J', '\\u009b2J'],
  ['a carriage return that hides what came before', 'rm -rf /\rls', 'rm -rf /␍ls'],
  ['backspaces', 'ab\b\b', 'ab␈␈'],
  ['delete', 'a\u007f', 'a␡'],
  ['text that runs backwards', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['zero width characters', 'pass\u200bword\ufeff', 'pass\\u200bword\\ufeff'],
  ['tag characters', 'hi\u{e0041}\u{e0042}', 'hi\\u{e0041}\\u{e0042}'],
  ['half a character', 'a\ud800b', 'a\\ud800b'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
]

test.each(attacks)('shows %s and does not obey it', (_, text, shown) => {
  expect(visible(text)).toBe(shown)
  expect(visibleLine(text)).toBe(shown)
})

test('leaves text of every script and emoji as they are', () => {
  for (const text of [
    'ログイン画面を作る',
    'naïve café',
    '한국어',
    'עברית',
    'می‌خواهم',
    'क्‍ष',
    '👩‍💻 🏳️‍🌈 👍🏽 🇯🇵 ❤️',
    '１２３',
  ])
    expect(visible(text)).toBe(text)
})

test('keeps lines where there is room for them and marks them where there is not', () => {
  expect(visible('one\r\ntwo\n\tthree')).toBe('one\ntwo\n    three')
  expect(visibleLine(' one\n\n  two\tthree\n')).toBe('one ⏎ two three')
})

test('writes JSON that means the same and holds nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const json = jsonText({ text }, 2)
      expect(JSON.parse(json)).toEqual({ text })
      expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    }),
  )
  expect(jsonText('\u009b\u202e')).toBe('"\\u009b\\u202e"')
  expect(jsonText({ 名: '棟梁 👩‍💻' })).toBe('{"名":"棟梁 👩‍💻"}')
})

test('never lets a control character through, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(visibleLine(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u)
      expect(visible(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u)
    }),
  )
})
