import { expect, test } from 'vitest'
import type { Evidence } from './model.ts'
import { bodyOf } from './pull-model.ts'

test('a pull request says where its checks passed, and nothing of one that failed after that', () => {
  const ran = (name: string, outcome: Evidence['outcome']) =>
    ({ name, command: ['make', name], outcome, endedAt: outcome === null ? null : 1 }) as unknown as Evidence
  const body = bodyOf('shop-1', 'A cart', [
    ...[ran('test', 'failed'), ran('lint', 'passed'), ran('types', 'passed')],
    ...[ran('test', 'passed'), ran('lint', 'failed'), ran('types', 'stopped'), ran('types', null)],
  ])
  expect(body).toBe(
    'A cart\n\nPassed in the worktree that this commit was taken from:\n- `make test`\n- `make types`\n\nToryo-Task: shop-1',
  )
})
