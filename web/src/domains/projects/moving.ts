// Moves and assignments: shown at once, put back when the hub refuses. Only the field that was changed is put back, since others may
// have changed the rest meanwhile.
import type { QueryClient } from '@tanstack/react-query'
import type { Priority, TaskStatus } from '#contract/projects.ts'
import type { TaskView } from '#contract/views.ts'
import { Refused, write } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import { announce } from '../../parts/announcer.tsx'
import { notify } from '../../parts/notices.tsx'
import { currentWords } from '../../words/words.ts'
import { boardWords } from './board-words.ts'
import { type Card, rankBehind } from './model.ts'
import { settled } from './settled.ts'
import { cardOf, keys, patchCard } from './queries.ts'

type Move = { id: string; title: string; from: TaskStatus; to: TaskStatus }

let last: Move | undefined
/** The card that was just put back, to be shown as such once. */
export const flashed = createStore<string | undefined>(undefined)

/** A move back that cannot be undone waits here for a person's yes. */
export const reopening = createStore<{ id: string; handle: string; stage: Lost; to: TaskStatus } | undefined>(undefined)

/** What was found out about reported work is gone when its task is opened again, and no undo brings it back. */
const LOST = ['merged', 'queued', 'review', 'checking'] as const
export type Lost = (typeof LOST)[number]

export async function move(queries: QueryClient, id: string, to: TaskStatus, isUndo = false): Promise<void> {
  const before = cardOf(queries, id)
  if (!before || before.status === to) return
  const stage = LOST.find(one => one === before.stage)
  if (before.status === 'done' && stage !== undefined) reopening.set({ id, handle: before.handle, stage, to })
  else await moveNow(queries, id, to, isUndo)
}

export async function moveNow(queries: QueryClient, id: string, to: TaskStatus, isUndo = false): Promise<void> {
  const before = cardOf(queries, id)
  if (!before || before.status === to) return
  const { status: from, title } = before
  const words = currentWords()
  patchCard(queries, id, card => ({ ...card, status: to, pending: 'sending' }))
  try {
    const { value } = await write('task.move', { task_id: id, status: to })
    settle(queries, id, to, value)
    last = isUndo ? undefined : { id, title, from, to }
    announce(words.board.moved(title, words.status[to]))
    if (from === 'done' && !isUndo) sayReopened(queries, before, to)
  } catch (error) {
    patchCard(queries, id, ({ pending, ...card }) => (pending && card.status === to ? { ...card, status: from } : card))
    flash(id)
    const detail = error instanceof Refused ? error.message : words.error.unreached
    const again = { label: words.notice.again, run: () => void move(queries, id, to, isUndo) }
    notify({ kind: 'failed', text: words.board.failed(title), detail, action: again })
  }
}

/** Work that was finished is not any more: said, and undone with one click where that is possible. */
function sayReopened(queries: QueryClient, { task_id, handle, stage }: Card, to: TaskStatus): void {
  const words = currentWords()
  const text = boardWords[words.code].reopen.done(handle, words.status[to])
  const undo = { label: words.notice.undo, run: () => void moveNow(queries, task_id, 'done', true) }
  notify({ kind: 'done', text, ...(stage === 'done' && { action: undo }) })
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
    patchCard(queries, id, card => settled(card.pending ? { ...card, rank: before.rank } : card))
    flash(id)
    const detail = error instanceof Refused ? error.message : words.error.unreached
    const again = { label: words.notice.again, run: () => void order(queries, column, id, behind) }
    notify({ kind: 'failed', text: words.board.failed(before.title), detail, action: again })
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
  const words = currentWords()
  patchCard(queries, id, card => ({ ...card, assignee_id: agentId as never, pending: 'sending' }))
  try {
    const { value } = await write('task.assign', { task_id: id, agent_id: agentId })
    settle(queries, id, value.status, value)
  } catch (error) {
    patchCard(queries, id, card => ({ ...settled(card), assignee_id: before }))
    flash(id)
    const detail = error instanceof Refused ? error.message : words.error.unreached
    notify({ kind: 'failed', text: cardOf(queries, id)?.title ?? id, detail })
  }
  void queries.invalidateQueries({ queryKey: keys.task(id) })
}

export async function prioritise(queries: QueryClient, id: string, priority: Priority): Promise<void> {
  const before = cardOf(queries, id)?.priority
  if (before === undefined || before === priority) return
  const words = currentWords()
  patchCard(queries, id, card => ({ ...card, priority, pending: 'sending' }))
  try {
    await write('task.edit', { task_id: id, priority })
    patchCard(queries, id, settled)
  } catch (error) {
    patchCard(queries, id, card => settled(card.priority === priority ? { ...card, priority: before } : card))
    flash(id)
    const detail = error instanceof Refused ? error.message : words.error.unreached
    notify({ kind: 'failed', text: cardOf(queries, id)?.title ?? id, detail })
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

export function flash(id: string): void {
  flashed.set(id)
  setTimeout(() => flashed.set(now => (now === id ? undefined : now)), 1000)
}
