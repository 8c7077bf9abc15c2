import { expect, test } from 'vitest'
import { parseDiff } from '../../parts/diff/parse.ts'
import {
  changedLines,
  matrixOf,
  nameOf,
  type Overlap,
  othersOn,
  pairsOf,
  placeOf,
  placesOf,
  quoted,
  totalOf,
  withBranches,
  workedIn,
} from './model.ts'

const side = (worktree_id: string, handle: string | null, tab_id: string | null = null) =>
  ({ worktree_id, handle, tab_id }) as Overlap['a']
const overlap = (a: Overlap['a'], b: Overlap['b'], kind: Overlap['kind'], files: string[]) =>
  ({ project_id: 'shop', a, b, kind, files, since: '' }) as Overlap

const one = side('wt_1', 'shop-1')
const two = side('wt_2', null, 'tab_2')
const overlaps = [
  overlap(one, two, 'lines', ['cart.ts', 'a.ts']),
  overlap(one, two, 'conflict', ['cart.ts']),
  overlap(two, side('wt_3', 'shop-3'), 'lines', ['b.ts']),
]

test('a file names those who change it, too, and a pair is shown once, by its stronger kind', () => {
  expect([...othersOn(overlaps, 'wt_1')]).toEqual([
    ['cart.ts', ['tab_2']],
    ['a.ts', ['tab_2']],
  ])
  expect([...othersOn(overlaps, 'wt_2')]).toEqual([
    ['cart.ts', ['shop-1']],
    ['a.ts', ['shop-1']],
    ['b.ts', ['shop-3']],
  ])
  expect(othersOn(overlaps, 'wt_9').size).toBe(0)
  expect(pairsOf(overlaps).map(({ kind }) => kind)).toEqual(['conflict', 'lines'])
})

test('lines are summed up, files without any left out', () => {
  expect(
    totalOf([
      { path: 'a', status: 'added', added: 3, removed: 0 },
      { path: 'b', status: 'modified', binary: true },
      { path: 'c', status: 'deleted', added: 0, removed: 9 },
    ]),
  ).toEqual({ added: 3, removed: 9 })
})

test('the matrix has everybody who overlaps, once, and what is between two is found from both sides', () => {
  const { sides, between } = matrixOf(overlaps)
  expect(sides.map(nameOf)).toEqual(['shop-1', 'shop-3', 'tab_2'])
  const [a, b, c] = sides
  if (!a || !b || !c) throw new Error('three sides')
  expect([between(a, c)?.kind, between(c, a)?.kind, between(a, b), between(b, c)?.files]).toEqual([
    'conflict',
    'conflict',
    undefined,
    ['b.ts'],
  ])
})

test('lines are quoted as they are now, and named as people name them', () => {
  const files = parseDiff('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n keep\n-old\n+new\n last\n')
  expect(quoted(files, { path: 'a', from: 1, to: 2 })).toBe('keep\nnew')
  expect(quoted(files, { path: 'gone', from: 1, to: 2 })).toBe('')
  expect(placeOf({ path: 'a', from: 1, to: 2 })).toBe('a:1–2')
  expect(placeOf({ path: 'a', from: 2, to: 2 })).toBe('a:2')
  expect(placeOf({ path: 'a', from: null, to: null })).toBe('a')
})

test('a tab without a task is called by its branch', () => {
  const named = withBranches(overlaps, [{ worktree_id: 'wt_2' as never, branch: 'feature/login' }])
  expect(named.map(({ a, b }) => [nameOf(a), nameOf(b)])).toEqual([
    ['shop-1', 'feature/login'],
    ['shop-1', 'feature/login'],
    ['feature/login', 'shop-3'],
  ])
})

test('the lines of others are looked up once for each file, and only of those that meet this worktree', () => {
  expect(placesOf(overlaps, 'wt_1')).toEqual([
    { worktreeId: 'wt_2', path: 'cart.ts', who: 'tab_2' },
    { worktreeId: 'wt_2', path: 'a.ts', who: 'tab_2' },
  ])
  const many = Array.from({ length: 40 }, (_, at) => `${at}.ts`)
  expect(placesOf([overlap(one, two, 'lines', many)], 'wt_1')).toHaveLength(12)
})

test('lines that a diff changes are ranges of the file as it is now', () => {
  const diff = (...hunks: string[]) => ['diff --git a/x b/x', '--- a/x', '+++ b/x', ...hunks, ''].join('\n')
  expect(changedLines(diff('@@ -38 +38,3 @@', '-a', '+a', '+b', '+c', '@@ -50 +52 @@', '-d', '+e'))).toBe('38–40, 52')
  // What is only removed has no line any more.
  expect(changedLines(diff('@@ -4 +3,0 @@', '-gone'))).toBe('')
  const five = [1, 11, 21, 31, 41].flatMap(at => [`@@ -${at} +${at} @@`, '-a', '+b'])
  expect(changedLines(diff(...five))).toBe('1, 11, 21, 31, …')
})

test('only worktrees in which an agent or a person works are listed, not where the hub checks merged files', () => {
  const tree = (branch: string | null, state = 'ready') => ({ branch, state }) as Parameters<typeof workedIn>[0][number]
  const [task, detached, checked, removed] = [
    tree('toryo/shop-1'),
    tree(null),
    tree('toryo/integration-shop-main-1a2b3c'),
    tree('toryo/shop-2', 'trashed'),
  ]
  expect(workedIn([task, detached, checked, removed] as never)).toEqual([task, detached])
})
