import { expect, test } from 'vitest'
import type { ApiOutput } from '#contract/api.ts'
import { STAGES } from '#contract/task-values.ts'
import { nextOf } from './task-next.ts'

type Task = ApiOutput<'task.show'>

const plain = {
  handle: 'shop-1',
  assignee_id: 'ann',
  merge: null,
  returned: null,
  failure: null,
  not_started: null,
  executions: [],
  workspace: { base: 'main', holder: null },
}
const next = (stage: string, changes: object = {}) => nextOf({ ...plain, stage, ...changes } as unknown as Task)?.en

test('every stage says in both languages what happens next, unless another line does', () => {
  for (const stage of STAGES.filter(one => one !== 'waiting')) {
    const said = nextOf({ ...plain, stage } as unknown as Task)
    expect(said?.en).toMatch(/\.$/)
    expect(said?.ja).toMatch(/。$/)
  }
})

test('a person is told what to type', () => {
  expect(next('planned')).toBe('`toryo task move shop-1 in_progress` has ann started for it.')
  expect(next('planned', { assignee_id: null })).toContain('`toryo task assign shop-1 <agent>`')
  expect(next('working', { assignee_id: null })).toBe(
    'It has no agent yet: `toryo task assign shop-1 <agent>` assigns one and has it started.',
  )
  expect(next('review')).toContain('`toryo task review shop-1` shows the work')
  expect(next('blocked')).toContain('`toryo task answer shop-1 "…"`')
})

test('a task that waits for a busy agent says for what, and how it need not', () => {
  const ahead = { agent_busy_with: { handle: 'shop-3' }, not_started: 'ann works on shop-3.' }
  expect(next('working', ahead)).toBe(
    'ann is started for it when shop-3 is reported; `toryo agent copy ann --task shop-1` adds another agent like it, which starts now.',
  )
  expect(next('working', { ...ahead, assignee_id: 'Claude 2' })).toContain(
    '`toryo agent copy "Claude 2" --task shop-1`',
  )
  expect(next('working', { ...ahead, assignee_id: '$(x)' })).toContain('`toryo agent copy <agent> --task shop-1`')
})

test('why it came back comes first, then who is at it', () => {
  const checks = [{ name: 'test' }, { name: 'lint' }]
  expect(next('working', { returned: { why: 'checks', summary: null, checks } })).toBe(
    'It came back: check test, lint failed. ann is started for it as soon as a Runner can (`toryo up`).',
  )
  const conflicts = [{ path: 'a\u001b[31m', kind: 'contents' }]
  const executions = [{ execution_id: 'exec_1', status: 'running' }]
  expect(
    next('working', { executions, returned: { why: 'conflict', summary: null, base: 'main', conflicts } }),
  ).toMatch(
    /^It came back: it conflicts with main in a\S+\. ann works on it; `toryo run logs exec_1` shows what it does\.$/,
  )
  expect(next('working', { returned: { why: 'changes', summary: 'Almost' } })).toContain('wants changes: Almost.')
  expect(next('working', { returned: { why: 'checks', base: 'main', checks } })).toContain(
    'failed on its files merged with main, in a clean checkout.',
  )
})

test('an undo that failed says nothing of work that was reported after it', () => {
  const merge = { kind: 'undo', outcome: 'conflict', base: 'main', files: ['a'] }
  expect(next('review', { merge })).toBe(next('review'))
  expect(next('review', { merge: { ...merge, kind: 'merge' } })).toContain('does not merge with main (a)')
})

test('a merge that waits says for what', () => {
  expect(next('queued', { merge: { base: 'main', waits: null } })).toContain('is merged into main next')
  expect(next('queued', { merge: { base: 'main', waits: 'a is dirty.' } })).toBe(
    'It is accepted, and its merge waits: a is dirty.',
  )
})
