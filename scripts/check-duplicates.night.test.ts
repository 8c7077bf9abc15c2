import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDuplicates } from './check-duplicates.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toryo-duplicates-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `step(${index})`)

test('reports where the same lines are, once, however long they are', () => {
  plant('src/a.ts', ['const own = 1', ...numbered(8)])
  plant('web/src/b.tsx', ['', ...numbered(8).map(line => `    ${line}`), 'const other = 2'])
  expect(checkDuplicates(root)).toEqual(['web/src/b.tsx:2-9 is the same as src/a.ts:2-9'])
})

test('reports them within one file, too', () => {
  plant('src/a.ts', [...numbered(6), 'between()', ...numbered(6)])
  expect(checkDuplicates(root)).toEqual(['src/a.ts:8-13 is the same as src/a.ts:1-6'])
})

test.each([
  ['five lines', numbered(5)],
  ['six lines of which one differs', [...numbered(5), `step(${Math.random()})`]],
  [
    'imports, comments and punctuation',
    ['import {', 'a', 'b', 'c', 'd', 'e', 'f', "} from './c.ts'", '// x', '// y', '})', '{', '}', ']'],
  ],
])('does not mind %s', (_name, lines) => {
  plant('src/a.ts', lines)
  plant('test/b.ts', [...lines.slice(0, 5), 'elsewhere()', ...lines.slice(5)])
  expect(checkDuplicates(root)).toEqual([])
})

test.each(['src/contract/known.gen.ts', 'src/domains/runs/crew-schema.ts', 'src/domains/runs/schema.ts'])(
  '%s may repeat itself',
  file => {
    plant(file, [...numbered(6), ...numbered(6)])
    expect(checkDuplicates(root)).toEqual([])
  },
)

function plant(file: string, lines: readonly string[]): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), lines.join('\n'))
}
