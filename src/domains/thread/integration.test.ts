import { expect, test } from 'vitest'
import type { MergeId, ProjectId, TaskId } from '#contract/id-types.ts'
import { Integration } from './integration.ts'
import type { Evidence, PlannedCheck } from './model.ts'

const check: PlannedCheck = {
  ...{ name: 'test', command: ['make', 'test'], required: true, minutes: 10 },
  ...{ source: 'operator', trusted: true },
}
const merge = {
  ...{ mergeId: 'mrg_2' as MergeId, taskId: 'tsk_cart' as TaskId, projectId: 'prj_shop' as ProjectId },
  ...{ repository: '/shop/.git', commit: 'c', tree: 't' },
}
const passed = {
  ...{
    mergeId: 'mrg_1',
    name: 'test',
    command: check.command,
    tree: 't',
    place: '/here',
    endedAt: 1,
    outcome: 'passed',
  },
} as Evidence

const WAYS: [what: string, evidence: Partial<Evidence>, relied: boolean][] = [
  ['passed on this tree, here', {}, true],
  ['passed on another machine', { place: '/elsewhere' }, false],
  ['passed in a workspace', { mergeId: null }, false],
  ['passed on another tree', { tree: 'other' }, false],
  ['passed with another command', { command: ['make', 'tests'] }, false],
  ['passed under another name', { name: 'lint' }, false],
  ['has not ended', { endedAt: null, outcome: null }, false],
  ['was cut off', { outcome: 'stopped' }, false],
]

test.each(WAYS)('a merge relies on a check only as it has to run now: what %s', async (_what, other, relied) => {
  const integration = new Integration({
    checks: { plan: async () => [check, { ...check, name: 'notes', required: false }] },
    evidence: { list: async () => [{ ...passed, ...other }], ofMerge: async () => [] },
    worktrees: { home: async () => '/here' },
  } as unknown as ConstructorParameters<typeof Integration>[0])
  expect(await integration.isPassed(merge)).toBe(relied)
})
