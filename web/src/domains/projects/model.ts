// Pure: which cards stand where, and in which order.
import type { TaskStatus } from '#contract/projects.ts'
import { PRIORITIES, TASK_STATUSES } from '#contract/task-values.ts'
import type { TaskCard } from '#contract/views.ts'

/** `pending`: this page has changed it, and the hub has not answered yet. */
export type Card = TaskCard & { pending?: 'sending' }

/** As the hub has it. */
export function settled(card: Card): Card {
  const { pending, ...rest } = card
  return pending ? rest : card
}

export type Filter = { project: string | null; assignee: string | null; text: string }

/** What the status does not say already. */
export const TOLD_STAGES: ReadonlySet<string> = new Set(['waiting', 'checking', 'review', 'queued', 'merged'])

export const NOBODY = 'none'

export type Columns = Record<TaskStatus, Card[]>

export function columnsOf(cards: readonly Card[], filter: Filter): Columns {
  const columns = Object.fromEntries(TASK_STATUSES.map(status => [status, [] as Card[]])) as Columns
  for (const card of cards) if (fits(card, filter)) columns[card.status].push(card)
  for (const status of TASK_STATUSES) columns[status].sort(isClosed(status) ? byNewest : byUrgency)
  return columns
}

function fits({ project_id, assignee_id, title, handle }: Card, { project, assignee, text }: Filter): boolean {
  if (project !== null && project_id !== project) return false
  if (assignee !== null && (assignee_id ?? NOBODY) !== assignee) return false
  const wanted = text.trim().toLowerCase()
  return wanted === '' || title.toLowerCase().includes(wanted) || handle.includes(wanted)
}

export function isClosed(status: TaskStatus): boolean {
  return status === 'done' || status === 'cancelled'
}

function byUrgency(a: Card, b: Card): number {
  return PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || compare(a.task_id, b.task_id)
}

function byNewest(a: Card, b: Card): number {
  return compare(b.updated_at, a.updated_at) || compare(a.task_id, b.task_id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
