import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesIn } from './overlap.ts'
import { bytesOf, fieldsOf, fileAt, isPlain, patchText, textOf } from './path-text.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

test('any bytes are had back from their text, which any database takes', () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 6 }).map(bytes => Buffer.from(bytes)),
    fc
      .constantFrom('\\', 'x', 'e9', '5c', '\\xe9', '\\x5c', '\\x41', '日本', '\ud83d\ude00')
      .map(text => Buffer.from(text)),
  )
  fc.assert(
    fc.property(fc.array(part), parts => {
      const bytes = Buffer.concat(parts)
      const text = textOf(bytes)
      expect(bytesOf(text)).toEqual(bytes)
      expect(text.isWellFormed()).toBe(true)
      expect(fieldsOf(Buffer.concat([bytes, Buffer.from('\0')])).join('\0')).toBe(text)
    }),
  )
})

test('a name is what it was, but for bytes that are no text, and signs that would be taken for them', () => {
  for (const name of ['src/a.ts', '日本/é', 'a\\b', 'a\\x41', 'C:\\xylem', '\'"\n']) {
    expect(textOf(Buffer.from(name))).toBe(name)
    expect(isPlain(name)).toBe(true)
  }
  expect(textOf(latin('caf\xe9/\xff'))).toBe('caf\\xe9/\\xff')
  expect(textOf(Buffer.from('a\\xe9'))).toBe('a\\x5cxe9')
  expect(isPlain('caf\\xe9')).toBe(false)
  expect(fileAt('/r', 'a/b')).toBe('/r/a/b')
  expect(fileAt('/r\\xe9', 'caf\\xe9')).toEqual(Buffer.concat([Buffer.from('/r\\xe9/caf'), latin('\xe9')]))
})

test('a patch has its names in that form, and the lines of files as they are', () => {
  const patch = latin(
    [
      'diff --git a/caf\xe9 b/caf\xe9',
      'index 1..2 100644',
      '--- a/caf\xe9',
      '+++ b/caf\xe9',
      '@@ -1 +1 @@',
      '-diff \\xe9',
      '+caf\xe9 \\xe9',
      'diff --git "a/caf\xe9\\t" "b/caf\xe9\\t"',
      'new file mode 100644',
      '',
    ].join('\n'),
  )
  const text = patchText(patch)
  expect(text.split('\n')).toEqual([
    'diff --git a/caf\\xe9 b/caf\\xe9',
    'index 1..2 100644',
    '--- a/caf\\xe9',
    '+++ b/caf\\xe9',
    '@@ -1 +1 @@',
    '-diff \\xe9',
    '+caf\ufffd \\xe9',
    'diff --git "a/caf\\xe9\\t" "b/caf\\xe9\\t"',
    'new file mode 100644',
    '',
  ])
  expect([...linesIn(text).keys()]).toEqual(['caf\\xe9', 'caf\\xe9\t'])
})
