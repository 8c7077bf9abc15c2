import { expect, test } from 'vitest'
import type { Overlap } from './model.ts'
import { matrixOf, nameOf } from './model.ts'
import { nearOf } from './near.ts'

const changed = (id: string, paths: string[], project = 'shop') => ({
  worktree: { worktree_id: id, project_id: project, branch: `feature/${id}` } as never,
  files: paths.map(path => ({ path })),
})
const side = (worktree_id: string, handle: string) => ({ worktree_id, handle, tab_id: null }) as Overlap['a']
const seen = ({ a, b, kind, files }: ReturnType<typeof nearOf>[number]) => [nameOf(a), nameOf(b), kind, files]

test('two on the same file are near, by branch; files of packages alone are less', () => {
  const near = nearOf(
    [
      changed('a', ['package.json', 'web/package-lock.json', 'x.ts']),
      changed('b', ['package.json', 'web/package-lock.json']),
      changed('c', ['x.ts', 'Cargo.toml']),
      changed('d', ['other.ts']),
    ],
    [],
  )
  expect(near.map(seen)).toEqual([
    ['feature/a', 'feature/c', 'file', ['x.ts']],
    ['feature/a', 'feature/b', 'manifest', ['package.json', 'web/package-lock.json']],
  ])
})

test('a pair that overlaps is told once, and another project has files of the same name', () => {
  const overlap = {
    a: side('a', 'shop-1'),
    b: side('b', 'shop-2'),
    kind: 'lines',
    files: ['x.ts'],
  } as unknown as Overlap
  const all = [changed('a', ['x.ts', 'y.ts']), changed('b', ['x.ts', 'y.ts']), changed('c', ['x.ts'], 'bank')]
  expect(nearOf(all, [overlap])).toEqual([])
  // The same name for one worktree in both lists, and in the matrix one row.
  const near = nearOf([...all, changed('d', ['y.ts'])], [overlap])
  expect(near.map(seen)).toEqual([
    ['shop-1', 'feature/d', 'file', ['y.ts']],
    ['shop-2', 'feature/d', 'file', ['y.ts']],
  ])
  const { sides, between } = matrixOf([overlap], near)
  expect(sides.map(nameOf)).toEqual(['feature/d', 'shop-1', 'shop-2'])
  const [d, one, two] = sides
  if (!d || !one || !two) throw new Error('three sides')
  expect([between(one, two)?.kind, between(two, d)?.kind]).toEqual(['lines', 'file'])
})
