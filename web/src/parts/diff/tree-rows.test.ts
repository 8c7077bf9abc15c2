import { expect, test } from 'vitest'
import type { FileDiff } from './parse.ts'
import { treeRows } from './tree-rows.ts'

const files = ['README.md', 'src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'test/a.test.ts'].map(
  path => ({ path }) as FileDiff,
)
const names = (folded: string[]) =>
  treeRows(files, new Set(folded)).map(row =>
    row.kind === 'folder' ? `${row.path}/ ${row.count}` : `${row.index} ${row.file.path}`,
  )

test('files stand under their folders, in the order of the diff', () => {
  expect(names([])).toEqual([
    '0 README.md',
    'src/ 2',
    '1 src/a.ts',
    '2 src/b.ts',
    'src/deep/ 1',
    '3 src/deep/c.ts',
    'test/ 1',
    '4 test/a.test.ts',
  ])
})

test('a folder that is folded keeps its line and its count, and its files keep their places', () => {
  expect(names(['src'])).toEqual([
    '0 README.md',
    'src/ 2',
    'src/deep/ 1',
    '3 src/deep/c.ts',
    'test/ 1',
    '4 test/a.test.ts',
  ])
})

test('the same folder twice in the diff stands twice, and a folder is not a part of a name', () => {
  const mixed = ['a/x', 'b/x', 'a/y', 'ab/z'].map(path => ({ path }) as FileDiff)
  expect(treeRows(mixed, new Set()).flatMap(row => (row.kind === 'folder' ? row.path : []))).toEqual([
    'a',
    'b',
    'a',
    'ab',
  ])
})
