// Moves and assignments: shown at once, put back when the hub refuses. Only the field that was changed is put back, since others may
// have changed the rest meanwhile.
import type { QueryClient } from '@tanstack/react-query'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import type { TaskView } from '#contract/views.ts'
import { call, write } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import { announce } from '../../parts/announcer.tsx'
import { notify } from '../../parts/notices.tsx'
import { marked } from '../../parts/safe-text.tsx'
import { sentence } from '../../parts/sentence.ts'
import { currentWords } from '../../words/words.ts'
import { boardWords } from './board-words.ts'
import { type Card, isInReview, rankBehind } from './model.ts'
import { isOwnMove, madeMove } from './own-moves.ts'
import { cardOf, keys, patchCard, type TaskDetail } from './queries.ts'
import { markTask, overtakes, sayRefused } from './refused.ts'
import { settled } from './settled.ts'
import { taskWords } from './task-words.ts'

type Move = { id: string; title: string; from: TaskStatus; to: TaskStatus }

let last: Move | undefined

/** A move back that cannot be undone waits here for a person's yes. */
export const reopening = createStore<{ id: string; handle: string; stage: Lost; to: TaskStatus } | undefined>(undefined)

/** What was found out about reported work is gone when its task is opened again, and no undo brings it back. */
const LOST = ['merged', 'queued', 'review', 'checking'] as const
export type Lost = (typeof LOST)[number]

export async function move(queries: QueryClient, id: string, to: TaskStatus, isUndo = false): Promise<void> {
  const before = shownOf(queries, id)
  if (before?.status === to && isInReview(before)) sayInReview(before)
  if (!before || before.status === to) return
  const stage = LOST.find(one => one === before.stage)
  if (before.status === 'done' && stage !== undefined) reopening.set({ id, handle: before.handle, stage, to })
  else await moveNow(queries, id, to, isUndo)
}

export async function moveNow(queries: QueryClient, id: string, to: TaskStatus, isUndo = false): Promise<void> {
  const before = shownOf(queries, id)
  if (!before || before.status === to) return
  const { status: from, title } = before
  const words = currentWords()
  patchCard(queries, id, card => ({ ...card, status: to, pending: 'sending' }))
  markTask(queries, id)
  madeMove(id, to)
  try {
    const { value } = await write('task.move', { task_id: id, status: to }, overtakes(id, 'status', from, to))
    settle(queries, id, to, value)
    last = isUndo ? undefined : { id, title, from, to }
    announce(words.board.moved(title, words.status[to]))
    if (from === 'done' && !isUndo) sayReopened(queries, before, to)
  } catch (error) {
    isOwnMove(id, to)
    const isConflict = (cardOf(queries, id)?.status ?? to) !== to
    patchCard(queries, id, card => settled(card.pending && card.status === to ? { ...card, status: from } : card))
    const again = () => void move(queries, id, to, isUndo)
    sayRefused({ id, text: words.board.failed(title), error, isConflict, again })
  }
  void queries.invalidateQueries({ queryKey: keys.task(id) })
}

/** What was closed long ago has no card, and the page of a task is open without any. */
function shownOf(queries: QueryClient, id: string): Shown | undefined {
  return cardOf(queries, id) ?? queries.getQueryData<TaskDetail>(keys.task(id))
}

type Shown = Pick<Card, 'task_id' | 'project_id' | 'handle' | 'title' | 'status' | 'stage' | 'assignee_id'>

/** Work that was finished is not any more: said, and undone with one click where that is possible. */
function sayReopened(queries: QueryClient, { task_id, handle, stage }: Shown, to: TaskStatus): void {
  const words = currentWords()
  const text = boardWords[words.code].reopen.done(handle, words.status[to])
  const undo = { label: words.notice.undo, run: () => void moveNow(queries, task_id, 'done', true) }
  notify({ kind: 'done', text, ...(stage === 'done' && { action: undo }) })
}

/** It becomes done by a verdict, not by a move. */
function sayInReview({ task_id, handle }: Shown): void {
  const own = boardWords[currentWords().code]
  const run = () => history.pushState(null, '', `/tasks/${task_id}/review`)
  notify({ kind: 'done', text: own.waitsForReview(handle), action: { label: own.review, run } })
}

/** `column`: as it is shown. */
export async function order(
  queries: QueryClient,
  column: readonly Card[],
  id: string,
  behind: string | null,
): Promise<void> {
  const before = cardOf(queries, id)
  const rank = rankBehind(column, id, behind)
  if (!before || behind === id) return
  const words = currentWords()
  patchCard(queries, id, card => ({ ...card, rank: rank ?? card.rank, pending: 'sending' }))
  try {
    const { value } = await write('task.order', { task_id: id, behind })
    patchCard(queries, id, card => settled(card.pending ? { ...card, rank: value.rank } : card))
  } catch (error) {
    const isConflict = !cardOf(queries, id)?.pending
    patchCard(queries, id, card => settled(card.pending ? { ...card, rank: before.rank } : card))
    const again = () => void order(queries, column, id, behind)
    sayRefused({ id, text: words.board.failed(before.title), error, isConflict, again })
  }
}

/** `u`: the last move of this page. */
export function undo(queries: QueryClient): void {
  if (last) void move(queries, last.id, last.from, true)
}

export async function assign(queries: QueryClient, id: string, agentId: string | null): Promise<void> {
  const known = cardOf(queries, id)
  const before = known?.assignee_id ?? null
  if (known && before === agentId) return
  patchCard(queries, id, card => ({ ...card, assignee_id: agentId as never, pending: 'sending' }))
  markTask(queries, id)
  const check = known && overtakes(id, 'assignee_id', before, agentId as typeof before)
  try {
    const { value } = await write('task.assign', { task_id: id, agent_id: agentId }, check)
    settle(queries, id, value.status, value)
  } catch (error) {
    const now = cardOf(queries, id)
    const isConflict = now !== undefined && now.assignee_id !== agentId
    patchCard(queries, id, card => settled(isConflict ? card : { ...card, assignee_id: before }))
    const again = () => void assign(queries, id, agentId)
    sayRefused({ id, text: now?.title ?? id, error, isConflict, again })
  }
  void queries.invalidateQueries({ queryKey: keys.task(id) })
}

/** As *Create and start*: without an assignee, the agent that the hub picks works on it. */
export async function start(queries: QueryClient, id: string): Promise<void> {
  const task = shownOf(queries, id)
  if (!task) return
  try {
    if (task.assignee_id === null) {
      const { agent } = (await call('agent.pick', { project_id: task.project_id })).value
      if (agent === null)
        return notify({ kind: 'failed', text: task.handle, detail: taskWords[currentWords().code].noneToStart })
      await write('task.assign', { task_id: id, agent_id: agent.agent_id })
    }
    if (task.status !== 'in_progress') await write('task.move', { task_id: id, status: 'in_progress' })
  } catch (error) {
    notify({ kind: 'failed', text: task.handle, detail: sentence(error) })
  }
  for (const queryKey of [keys.task(id), keys.cards]) void queries.invalidateQueries({ queryKey })
}

/** Another one like its agent, which takes it. */
export async function copyAgent(
  queries: QueryClient,
  { task_id: id, handle }: Pick<Card, 'handle'> & { task_id: string },
  agentId: string,
): Promise<void> {
  try {
    const { value } = await write('agent.copy', { agent_id: agentId, task_id: id })
    patchCard(queries, id, card => ({ ...card, assignee_id: value.agent_id, agent_busy_with: null }))
    notify({ kind: 'done', text: taskWords[currentWords().code].copied(marked(value.name), handle) })
  } catch (error) {
    notify({ kind: 'failed', text: handle, detail: sentence(error) })
  }
  for (const queryKey of [keys.task(id), keys.agents, ['members']]) void queries.invalidateQueries({ queryKey })
}

export async function prioritise(queries: QueryClient, id: string, priority: Priority): Promise<void> {
  const before = cardOf(queries, id)?.priority
  if (before === undefined || before === priority) return
  patchCard(queries, id, card => ({ ...card, priority, pending: 'sending' }))
  try {
    await write('task.edit', { task_id: id, priority }, overtakes(id, 'priority', before, priority))
    patchCard(queries, id, settled)
  } catch (error) {
    const now = cardOf(queries, id)
    const isConflict = now?.priority !== priority
    patchCard(queries, id, card => settled(isConflict ? card : { ...card, priority: before }))
    const again = () => void prioritise(queries, id, priority)
    sayRefused({ id, text: now?.title ?? id, error, isConflict, again })
  }
  void queries.invalidateQueries({ queryKey: keys.task(id) })
}

type Answer = Pick<TaskView, 'status' | 'stage' | 'assignee_id' | 'blocked_reason' | 'updated_at'>

/** The hub's word replaces ours, unless another's came in between. */
function settle(queries: QueryClient, id: string, sent: TaskStatus, answer: Answer): void {
  const { status, stage, assignee_id, blocked_reason, updated_at } = answer
  patchCard(queries, id, ({ pending, ...card }) =>
    pending && card.status === sent ? { ...card, status, stage, assignee_id, blocked_reason, updated_at } : card,
  )
}
