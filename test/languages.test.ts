import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { differences } from './languages.ts'

const project = path.resolve(import.meta.dirname, '..')

test('README and guide have the same outline, points and commands in both languages', () => {
  expect(differences(project)).toEqual([])
})

test('Japanese prose has no line break within a sentence, which a browser shows as a space', () => {
  const lines = readFileSync(path.join(project, 'README.ja.md'), 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
  const block = /^\s*(?:$|[-#|<>*!]|\d+\.|\[English\])/
  const broken = lines.filter((line, at) => !block.test(line) && !/^\s*(?:$|[#|<]|!\[)/.test(lines[at - 1] ?? ''))
  expect(broken).toEqual([])
})

test.each([
  ['the same in other words', '# A\n- b\n```sh\nx "y" # z\n```', '# あ\n- い\n```sh\nx "ん" # ん\n```', []],
  [
    'a missing heading',
    '# A\n## B',
    '# あ',
    ['README.md: heading 2 is ##, in Japanese undefined', /points of section 3 .* in Japanese undefined/],
  ],
  ['a command in a sentence', 'Run `toryo up`.', '`toryo stop` を実行。', [/in a sentence 1 is toryo up/]],
  ['a Japanese name', '```sh\nadd Aoi --x\n```', '```sh\nadd 葵 --x\n```', []],
  ['a limit that only one has', '# A\n- b\n- c', '# あ\n- い', [/points of section 2 is 2 in lists/]],
  ['a row that only one has', '# A\n| b |\n| c |', '# あ\n| い |', [/2 in tables, in Japanese .*1 in tables/]],
  [
    'another command',
    '```sh\ntoryo up\n```',
    '```sh\ntoryo stop\n```',
    [/command 1 is toryo up, in Japanese toryo stop/],
  ],
  ['another mark', '<!-- run -->\n```sh\nx\n```', '```sh\nx\n```', [/mark 1 is sh run, in Japanese sh $/]],
  ['an answer in the language of its reader', '```\n$ toryo up\nOn\n```', '```\n$ toryo up\n起動\n```', []],
  ['a heading in code', '```sh\n# A\n```', '```sh\n# あ\n```', []],
])('compares languages: %s', (_, en, ja, expected) => {
  const root = mkdtempSync(path.join(tmpdir(), 'toryo-languages-'))
  try {
    for (const language of ['en', 'ja']) mkdirSync(path.join(root, 'docs/guide', language), { recursive: true })
    writeFileSync(path.join(root, 'README.md'), `${en}\n`)
    writeFileSync(path.join(root, 'README.ja.md'), `${ja}\n`)
    const found = differences(root)
    expect(found).toHaveLength(expected.length)
    for (const [at, one] of expected.entries()) expect(found[at]).toMatch(one)
  } finally {
    rmSync(root, { recursive: true })
  }
})
