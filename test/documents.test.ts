import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brokenDecisions, brokenLinks, missingPaths } from './documents.ts'

const project = path.resolve(import.meta.dirname, '..')
/** Apart from the names of its pages, so that this file does not cite what does not exist. */
const DECISIONS = 'docs/adr'
const MISSING = 9999
let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toryo-documents-'))
  write(`${DECISIONS}/README.md`, '| [0001](0001-a.md) | A |')
  write(`${DECISIONS}/0001-a.md`, '# 0001 A')
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

test('every link of the documents leads to a file and to a heading of it', () => {
  expect(brokenLinks(project)).toEqual([])
})

test('every file that the pages for contributors name exists', () => {
  expect(missingPaths(project)).toEqual([])
})

test('every decision is in the index, and every decision that is cited exists', () => {
  expect(brokenDecisions(project)).toEqual([])
})

test.each([
  ['a file that does not exist', '[a](b.md)', ['docs/a.md: b.md']],
  ['a heading that does not exist', '[a](adr/0001-a.md#b)', ['docs/a.md: adr/0001-a.md#b']],
  ['a heading of its own that does not exist', '# One\n[a](#two)', ['docs/a.md: #two']],
  ['an image', '![a](b.png "title")', ['docs/a.md: b.png']],
  ['headings in the form of GitHub', '# `a`: b, c_d!\n## 名前 (二)\n[a](#a-b-c_d) [b](#名前-二)', []],
  ['the second of two headings', '# One\n# One\n[a](#one-1)', []],
  ['code, and other machines', '`[a](b.md)`\n```md\n[a](b.md)\n```\n[a](https://example.com/b.md)', []],
  ['a folder', '[a](adr) [b](../docs/adr/README.md)', []],
])('checks links: %s', (_, markdown, broken) => {
  write('docs/a.md', markdown)
  expect(brokenLinks(root)).toEqual(broken)
})

test('checks paths, but neither placeholders nor examples', () => {
  write('docs/how-to/a.md', 'See `src/a.ts`, `test/`, `src/<d>/b.ts`, `scripts/c*.js`.\n```sh\ncat `src/d.ts`\n```')
  expect(missingPaths(root)).toEqual(['docs/how-to/a.md: src/a.ts', 'docs/how-to/a.md: test/'])
  write('src/a.ts', '')
  write('test/b.ts', '')
  expect(missingPaths(root)).toEqual([])
})

test.each([
  ['a page without a line in the index', `${DECISIONS}/0002-b.md`, '# 0002 B', /README\.md: no line for 0002-b\.md/],
  ['another title in the index', `${DECISIONS}/0001-a.md`, '# 0001 B', /README\.md: no line for 0001-a\.md/],
  ['a page without its number', `${DECISIONS}/0002-b.md`, '# B', /0002-b\.md: its title must begin with 0002/],
  ['a number that is used twice', `${DECISIONS}/0001-b.md`, '# 0001 B', /0001-b\.md: 0001 is used twice/],
  ['a comment', 'src/a.ts', `// See ADR\n// ${MISSING}.`, new RegExp(`src/a.ts: ADR\n// ${MISSING}`)],
  ['a path', 'bench/README.md', `${DECISIONS}/${MISSING}`, new RegExp(`README.md: ${DECISIONS}/${MISSING}`)],
  ['the path of a page with another name', 'a.md', `${DECISIONS}/0001-c.md`, /a\.md: docs\/adr\/0001-c\.md/],
])('checks decisions: %s', (_, file, text, report) => {
  expect(brokenDecisions(root)).toEqual([])
  write(file, text)
  expect(brokenDecisions(root).join('\n')).toMatch(report)
})

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), `${text}\n`)
}
