// Pure: which cards stand where, and in which order.
import type { TaskStatus } from '#contract/projects.ts'
import { placeBehind, placeOf } from '#contract/task-order.ts'
import { TASK_STATUSES } from '#contract/task-values.ts'
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
  for (const status of TASK_STATUSES) columns[status].sort(isClosed(status) ? byNewest : byPlace)
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

function byPlace(a: Card, b: Card): number {
  return placed(a) - placed(b) || compare(a.task_id, b.task_id)
}

/** Cards are replaced, not changed. A column of thousands is sorted at each move, and most of its cards are those of before. */
const places = new WeakMap<Card, number>()

function placed(card: Card): number {
  const known = places.get(card)
  if (known !== undefined) return known
  const { rank, priority, handle } = card
  const place = placeOf({ rank, priority, number: Number(handle.slice(handle.lastIndexOf('-') + 1)) })
  places.set(card, place)
  return place
}

/** The rank that the hub will give it, as far as can be known here. */
export function rankBehind(column: readonly Card[], id: string, behind: string | null): number | undefined {
  return placeBehind(
    column.map(card => ({ id: card.task_id, place: placed(card) })),
    id,
    behind,
  )
}

/** What a card would stand behind, were it moved up or down by one; undefined: it is at the end already. */
export function neighbour(column: readonly Card[], id: string, by: 1 | -1): string | null | undefined {
  const at = column.findIndex(card => card.task_id === id)
  if (at === -1 || at + by < 0 || at + by >= column.length) return undefined
  return column[by === 1 ? at + 1 : at - 2]?.task_id ?? null
}

function byNewest(a: Card, b: Card): number {
  return compare(b.updated_at, a.updated_at) || compare(a.task_id, b.task_id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
