import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { colour, coloursOf, TONES, type Tone } from './colours.ts'
import { tokenize } from './grammars.ts'
import { languageOf } from './languages.ts'
import { type FileDiff, parseDiff } from './parse.ts'
import { layOut, rowsOf, type Shape } from './rows.ts'
import { piecesOf } from './word-marks.ts'

const added = (path: string, lines: readonly string[]): FileDiff => {
  const [file] = parseDiff(
    `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map(line => `+${line}\n`).join('')}`,
  )
  if (!file) throw new Error('no file')
  return file
}

const read = (language: string) => (text: string) => tokenize(text, language)

/** The parts of each line that have a tone, as people see them. */
function seen(file: FileDiff, shape: Shape = 'unified'): string[][] {
  const rows = rowsOf(file, shape)
  colour(rows, 0, rows.length, read(languageOf(file.path) ?? ''))
  return file.hunks.flatMap(({ lines }) =>
    lines.map(line => coloursOf(line).map(([from, to, tone]) => `${tone}:${line.text.slice(from, to)}`)),
  )
}

test('a comment that goes over several lines is one on each of them, and code in a template is code', () => {
  expect(seen(added('src/a.ts', ['/* why', '   if x */', 'const a = `n ${total(1)} m`', "return 'yes'"]))).toEqual([
    ['comment:/* why'],
    ['comment:   if x */'],
    ['keyword:const', 'string:`', 'string:n ', 'name:total', 'number:1', 'string: m', 'string:`'],
    ['keyword:return', "string:'yes'"],
  ])
})

test('each side is read for itself: a removed beginning of a comment does not make comments of what is there now', () => {
  const [file] = parseDiff(
    'diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-/* gone\n+var n = 1\n if n > 0 {\n',
  )
  if (!file) throw new Error('no file')
  for (const shape of ['unified', 'split'] as const)
    expect(seen(file, shape)).toEqual([['comment:/* gone'], ['keyword:var', 'number:1'], ['keyword:if', 'number:0']])
})

test('every language that a name stands for has a grammar, and other files have none', () => {
  const names = ['a.ts', 'a.tsx', 'a.mjs', 'a.jsx', 'a.json', 'a.html', 'a.css', 'a.sh', 'a.py', 'a.rb', 'a.go', 'a.rs']
  const more = ['a.java', 'a.kt', 'a.swift', 'a.cs', 'a.c', 'a.cpp', 'a.yml', 'a.toml', 'a.sql', 'README.md', 'Gemfile']
  for (const name of [...names, ...more]) {
    const language = languageOf(name)
    expect(language, name).toBeDefined()
    expect(tokenize('a = "b" # c\n// d\n1 <b>{ color: red }', language ?? '').length, name).toBeGreaterThan(1)
  }
  for (const name of ['LICENSE', 'a.png', 'src.ts/file', 'a.constructor', '.gitignore'])
    expect(languageOf(name), name).toBeUndefined()
  expect(tokenize('if', '__proto__')).toEqual(['if'])
})

test('only what is drawn is read, with the lines that lead to it', () => {
  const file = added('a.ts', ['/*', ...Array.from({ length: 9_998 }, (_, at) => `line ${at}`), '*/'])
  const { rows, items } = layOut([file], 'unified', new Set())
  const read: string[] = []
  const spy = (text: string) => (read.push(text), tokenize(text, 'typescript'))
  expect(items.length).toBe(401)
  expect(colour(rows[0] ?? [], 5000, 25, spy)).toBe(true)
  expect(read.map(text => text.split('\n').length)).toEqual([1, 85])
  expect(colour(rows[0] ?? [], 5000, 25, spy)).toBe(false)
  expect(read).toHaveLength(2)
})

test('a line that no person reads is left alone', () => {
  expect(seen(added('a.js', [`const a = '${'x'.repeat(30_000)}'`]))).toEqual([[]])
})

test('word marks, what was found and colours cut a line into pieces that make up the line', () => {
  const pieces = piecesOf(
    'const sum = 0',
    [[6, 9]],
    [[8, 11]],
    [
      [0, 5, 'keyword'],
      [12, 20, 'number'],
    ],
  )
  expect(pieces.map(({ text }) => text).join('')).toBe('const sum = 0')
  expect(pieces.map(({ text, isNew, isFound, tone }) => [text, isNew, isFound, tone])).toEqual([
    ['const', false, false, 'keyword'],
    [' ', false, false, undefined],
    ['su', true, false, undefined],
    ['m', true, true, undefined],
    [' =', false, true, undefined],
    [' ', false, false, undefined],
    ['0', false, false, 'number'],
  ])
})

const css = readFileSync(new URL('../../tokens.css', import.meta.url), 'utf8')
const pair = (token: string): [string, string] => {
  const [, light = '', dark = ''] = new RegExp(`--color-${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? []
  return [light, dark]
}
const rgb = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
const mixed = (over: number[], under: number[], share: number) =>
  over.map((value, at) => value * share + (under[at] ?? 0) * (1 - share))
const light = (colours: number[]) => {
  const [r = 0, g = 0, b = 0] = colours.map(one => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: number[], b: number[]) => {
  const [dim = 0, bright = 0] = [light(a), light(b)].sort((x, y) => x - y)
  return (bright + 0.05) / (dim + 0.05)
}

test.each(TONES)('%s is readable on every ground that a line of code stands on, in both themes', (tone: Tone) => {
  for (const theme of [0, 1] as const) {
    const of = (token: string) => rgb(pair(token)[theme])
    const grounds = [
      of('sheet'),
      ...(['matsu', 'shu'] as const).flatMap(name => [of(`${name}-wash`), mixed(of(name), of(`${name}-wash`), 0.25)]),
    ]
    for (const ground of grounds) expect(contrast(of(`code-${tone}`), ground)).toBeGreaterThanOrEqual(4.5)
  }
})
