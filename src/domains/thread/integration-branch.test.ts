import { expect, test } from 'vitest'
import { branchProblem } from '#kernel/git/names.ts'
import { integrationBranch } from './integration-branch.ts'

const branch = (base: string, home = '/home/a') => integrationBranch({ home, key: 'shop', base })

test('each hub and each base has a branch of its own, however the base is written', () => {
  const bases = ['main', 'feature/x', 'feature-x', 'feature/#/x', '機能', '修正', '機能/x']
  const branches = bases.flatMap(base => [branch(base), branch(base, '/home/b')])
  expect(new Set(branches).size).toBe(branches.length)
  for (const name of branches) expect(branchProblem(name)).toBeUndefined()
  expect(branch('main')).toMatch(/^toryo\/integration-shop-main-[0-9a-f]{6}$/)
})
