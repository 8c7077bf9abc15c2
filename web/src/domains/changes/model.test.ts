import { expect, test } from 'vitest'
import { type Overlap, othersOn, pairsOf, totalOf } from './model.ts'

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
