// Pure: which cards stand where, and in which order.
import type { TaskStatus } from '#contract/projects.ts'
import { placeBehind, placeOf } from '#contract/task-order.ts'
import { PRIORITIES, TASK_STATUSES } from '#contract/task-values.ts'
import type { TaskCard } from '#contract/views.ts'
import { isEmpty, matches, type Query } from './query.ts'

/** `pending`: this page has changed it, and the hub has not answered yet. */
export type Card = TaskCard & { pending?: 'sending' }

export type Filter = { project: string | null; assignee: string | null; text: string }

/** What the status does not say already. */
export const TOLD_STAGES: ReadonlySet<string> = new Set(['waiting', 'checking', 'review', 'queued', 'merged'])

export const NOBODY = 'none'

export const GROUPS = ['status', 'assignee', 'priority'] as const
export type Group = (typeof GROUPS)[number]

/** A column of the board. `key`: a status, an agent's id or a priority. */
export type Lane = { key: string; cards: readonly Card[] }

export type Wish = {
  filter: Filter
  query: Query
  group: Group
  nameOf: (agentId: string) => string
  /** Came while this page was open. */
  fresh?: ReadonlySet<string> | undefined
}

/** `before`: columns that have not changed stay the very same, so that they are not drawn again. */
export function lanesOf(cards: Iterable<Card>, wish: Wish, before: readonly Lane[] = []): Lane[] {
  const { group } = wish
  const lanes = new Map<string, Card[]>(keysOf(group).map(key => [key, []]))
  for (const card of cards) {
    if (!fits(card, wish)) continue
    const key = laneOf(card, group)
    if (key === undefined) continue
    const lane = lanes.get(key)
    if (lane) lane.push(card)
    else lanes.set(key, [card])
  }
  const known = new Map(before.map(lane => [lane.key, lane]))
  const found = [...lanes].map(([key, own]) => {
    own.sort(group !== 'status' ? byStatus : isClosed(key as TaskStatus) || key === IN_REVIEW ? byNewest : byPlace)
    const last = known.get(key)
    return last && isSame(last.cards, own) ? last : { key, cards: own }
  })
  if (group === 'assignee')
    found.sort((a, b) => rankOf(a) - rankOf(b) || compare(wish.nameOf(a.key), wish.nameOf(b.key)))
  return found
}

const rankOf = ({ key }: Lane) => (key === NOBODY ? 0 : 1)

/** Between what is at work and what is done: reported, and not merged yet. No status: only a report leads there. */
export const IN_REVIEW = 'review'
const STAGES_IN_REVIEW: ReadonlySet<string> = new Set(['checking', 'review', 'queued'])
export const isInReview = ({ stage }: Pick<Card, 'stage'>): boolean => STAGES_IN_REVIEW.has(stage)
const LANES = TASK_STATUSES.flatMap(status => (status === 'done' ? [IN_REVIEW, status] : [status]))

function keysOf(group: Group): readonly string[] {
  if (group === 'status') return LANES
  return group === 'priority' ? PRIORITIES : [NOBODY]
}

/** What is closed stands in columns of its own, and in no others. */
function laneOf(card: Card, group: Group): string | undefined {
  if (group === 'status') return isInReview(card) ? IN_REVIEW : card.status
  if (isClosed(card.status) && !isInReview(card)) return undefined
  return group === 'priority' ? card.priority : (card.assignee_id ?? NOBODY)
}

function isSame(a: readonly Card[], b: readonly Card[]): boolean {
  return a.length === b.length && a.every((card, index) => card === b[index])
}

function fits(card: Card, { filter: { project, assignee }, query, nameOf, fresh }: Wish): boolean {
  if (project !== null && card.project_id !== project) return false
  if (assignee !== null && (card.assignee_id ?? NOBODY) !== assignee) return false
  return isEmpty(query) || matches(card, query, nameOf, fresh)
}

/** Of each task with sub-tasks: how many of them are closed, of how many. */
export function partsOf(cards: Iterable<Card>): Map<string, string> {
  const counts = new Map<string, [closed: number, all: number]>()
  for (const { parent_id: parent, status } of cards) {
    if (parent === undefined) continue
    const [closed, all] = counts.get(parent) ?? [0, 0]
    counts.set(parent, [closed + (isClosed(status) ? 1 : 0), all + 1])
  }
  return new Map([...counts].map(([id, [closed, all]]) => [id, `${closed}/${all}`]))
}

export function isClosed(status: TaskStatus): boolean {
  return status === 'done' || status === 'cancelled'
}

const STATUS_ORDER = ['in_progress', 'blocked', 'todo', 'backlog', 'done', 'cancelled']

/** What is at work first. */
function byStatus(a: Card, b: Card): number {
  return STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) || byPlace(a, b)
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

/** The name that a project in this folder likely has. */
/** As a person would type it. */
export function commandLine(command: readonly string[]): string {
  return command.map(part => (/^[\w./:=@%+-]+$/.test(part) ? part : JSON.stringify(part))).join(' ')
}

export function nameOfFolder(path: string): string {
  return path.split('/').findLast(part => part !== '') ?? ''
}
