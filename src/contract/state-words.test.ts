// A Japanese sentence that names a state has the state's Japanese word, not the value that programs exchange.
import { describe, expect, test } from 'vitest'
import { HubError } from './errors.ts'
import { OrderError } from './order.ts'
import { PhaseError, PhaseStatus } from './phases.ts'
import { ProjectError, Stage, TaskStatus } from './projects.ts'
import { endSentence } from './run-end-text.ts'
import { runEnd } from './run-end.ts'
import { MessageState, TabError } from './tabs.ts'
import { ThreadError } from './thread-errors.ts'
import { WorktreeError, WorktreeState } from './worktrees.ts'

/** The value as a word of its own; commands in backquotes and names of tools keep theirs. */
const named = (ja: string, value: string) => new RegExp(`(?<![\\w])${value}(?![\\w])`).test(ja.replace(/`[^`]*`/g, ''))
const said = (what: HubError | { ja: string }) => (what instanceof HubError ? what.text.ja : what.ja)

describe.each(TaskStatus.options)('a Japanese sentence about a task that is %s', status => {
  test.each([
    ['refuses a handoff', ProjectError.TASK_CLOSED({ taskId: 'shop-4', status })],
    ['refuses an order', ProjectError.TASK_NOT_IN_ORDER({ handle: 'shop-4', status })],
    [
      'refuses two columns',
      ProjectError.TASKS_APART({ handle: 'shop-4', status, other: 'shop-5', otherStatus: status }),
    ],
    ['refuses an answer', ProjectError.TASK_NOT_BLOCKED({ taskId: 'shop-4', status })],
    ['refuses a sub-task', OrderError.PARENT_CLOSED({ handle: 'shop-4', status })],
    ['says why its agent was stopped', endSentence(runEnd('task-left', { handle: 'shop-4', status }))],
  ])('%s in Japanese words', (_, what) => {
    expect(named(said(what), status), said(what)).toBe(false)
  })
})

describe.each(Stage.options)('a Japanese sentence about a task at the stage %s', stage => {
  test.each([
    ['a move', OrderError.TASK_REPORTED({ handle: 'shop-4', stage })],
    ['a review', ThreadError.NOTHING_TO_REVIEW({ handle: 'shop-4', stage })],
    ['a merge', ThreadError.NOT_ACCEPTED({ handle: 'shop-4', stage })],
  ])('refuses %s in Japanese words', (_, what) => {
    expect(named(said(what), stage), said(what)).toBe(false)
  })
})

test.each([
  ...PhaseStatus.options.flatMap(status => [
    [status, PhaseError.INVALID_PHASE_TRANSITION({ phase: 'phase1', status, current: null })] as const,
    [status, PhaseError.PHASE_NOT_FAILED({ phase: 'phase1', status })] as const,
    [status, PhaseError.PHASE_NOT_COMPLETED({ phase: 'phase1', status })] as const,
  ]),
  ...WorktreeState.options.map(
    state => [state, WorktreeError.WORKTREE_NOT_READY({ worktreeId: 'wt_1', state })] as const,
  ),
  ...MessageState.options.map(state => [state, TabError.MESSAGE_NOT_QUEUED({ messageId: 'msg_1', state })] as const),
])('a Japanese refusal because of the state %s has a Japanese word for it', (state, refusal) => {
  expect(named(refusal.text.ja, state), refusal.text.ja).toBe(false)
})

test('a status that a newer Toryo wrote is named as it is', () => {
  expect(endSentence(runEnd('task-left', { handle: 'shop-4', status: 'parked' })).ja).toContain('「parked」')
})

test.each([
  [25 / 60, '25 s', '25 秒'],
  [1, '1 min', '1 分'],
  [1.5, '90 s', '90 秒'],
  [240, '240 min', '240 分'],
])('a limit of %d minutes is told as it was chosen', (minutes, en, ja) => {
  const sentence = endSentence(runEnd('time-limit', { label: 'Claude', minutes }))
  expect(sentence.en).toMatch(`Claude was still at work after ${en} and was stopped`)
  expect(sentence.ja).toMatch(`Claude は ${ja}たっても`)
})
