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
  ['selectors that spell what nobody sees', 'ok\u{e0101}\u{e0142}', 'ok\\u{e0101}\\u{e0142}'],
  ['a second selector behind a kanji', '葛\u{e0100}\u{e0101}', '葛\u{e0100}\\u{e0101}'],
  ['a selector behind a letter', 'a\ufe0f1\ufe0f\ufe0e', 'a\\ufe0f1\\ufe0f\\ufe0e'],
  ['a second selector behind an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
  ['Hangul fillers', 'a\u115f\u1160\u3164\uffa0', 'a\\u115f\\u1160\\u3164\\uffa0'],
  ['the blank braille cell', '\u2800\u2800', '\\u2800\\u2800'],
  ['other blanks', 'a\u{1d159}\u{13441}', 'a\\u{1d159}\\u{13441}'],
  ['what joins graphemes', 'pass\u034fword', 'pass\\u034fword'],
  ['a soft hyphen', 'pass\u00adword', 'pass\\u00adword'],
  ['joiners between Latin letters', 'ad\u200dmin\u200c1', 'ad\\u200dmin\\u200c1'],
  ['joiners between kanji and kana', '漢\u200d字か\u200cな', '漢\\u200d字か\\u200cな'],
  ['two joiners in a row', 'ک\u200c\u200cت', 'ک\\u200c\\u200cت'],
  ['a joiner with an emoji on one side only', '👩\u200d a', '👩\\u200d a'],
  ['tags behind a flag that is none of ours', '🏴\u{e0068}\u{e0069}\u{e007f}', '🏴\\u{e0068}\\u{e0069}\\u{e007f}'],
  ['isolates and marks of direction', 'a\u2066b\u2069\u061c', 'a\\u2066b\\u2069\\u061c'],
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
    '👩‍💻 🏳️‍🌈 👍🏽 🇯🇵 ❤️ 1️⃣ ☎︎ 🧑🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '１２３',
    '葛󠄀城市、辻󠄀、侮︀',
    'کتاب‌ها',
    'ශ්‍රී',
    'ᠨᠢᠭᠡ᠋',
  ]) {
    expect(visible(text)).toBe(text)
    expect(visibleLine(text)).toBe(text)
    expect(JSON.parse(jsonText(text))).toBe(text)
    expect(jsonText(text)).toContain(text)
  }
})

test('nothing that is not seen gets through, wherever it stands', () => {
  const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
  const pieces = fc.constantFrom(
    'a',
    '漢',
    'ک',
    'क',
    '❤',
    '👩',
    '1',
    ' ',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\u{e0100}',
    '\u3164',
    '\u2800',
    '\u{e0067}',
    '\u180b',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), parts => {
      const shown = Array.from(visibleLine(parts.join('')))
      for (const [at, point] of shown.entries()) {
        if (!unseen.test(point)) continue
        // Each that is left belongs to the one before it, which is seen.
        expect(shown[at - 1]).toMatch(/[漢کक❤👩]|\ufe0f/u)
        expect(unseen.test(shown[at - 2] ?? '') && unseen.test(shown[at - 1] ?? '')).toBe(false)
      }
    }),
  )
})

test('a cell of a table that holds only what is not seen is not empty', () => {
  expect(visibleLine('\u3164')).toBe('\\u3164')
  expect(visibleLine(' \u2800 ')).toBe('\\u2800')
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
