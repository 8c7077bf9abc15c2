// Pure: what a person types into the filter. Words are looked for in title and handle; `name:value` asks for one field of the card,
// `-` before it for those that do not have it, and quotes keep a value with spaces together.
import type { TaskCard } from '#contract/views.ts'

const FIELDS = ['assignee', 'status', 'priority', 'label', 'stage', 'is'] as const
type Field = (typeof FIELDS)[number]
type Term = { field: Field | 'text'; value: string; isNot: boolean }
export type Query = readonly Term[]

type Known = Pick<TaskCard, 'title' | 'handle' | 'status' | 'priority' | 'stage' | 'labels' | 'assignee_id' | 'run'> & {
  task_id: string
  waits_for: number
  parent_id?: string | undefined
}

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/giu

export function queryOf(text: string): Query {
  return [...text.matchAll(TERM)].flatMap(([whole, not, name, quoted, plain]): Term[] => {
    const field = FIELDS.find(one => one === name?.toLowerCase())
    const value = (quoted ?? plain ?? '').toLowerCase()
    // Still being typed.
    if (value === '' || value === '-' || FIELDS.some(one => value === `${one}:` || value === `-${one}:`)) return []
    // `https://…` and the like are words.
    if (name !== undefined && field === undefined) return [{ field: 'text', value: whole.toLowerCase(), isNot: false }]
    return [{ field: field ?? 'text', value, isNot: not === '-' }]
  })
}

export function isEmpty(query: Query): boolean {
  return query.length === 0
}

export function matches(
  card: Known,
  query: Query,
  nameOf: (agentId: string) => string,
  fresh: ReadonlySet<string> = NONE,
): boolean {
  return query.every(term => has(card, term, nameOf, fresh) !== term.isNot)
}

const NONE: ReadonlySet<string> = new Set()

function has(card: Known, { field, value }: Term, nameOf: (id: string) => string, fresh: ReadonlySet<string>): boolean {
  const { title, handle, assignee_id: assignee } = card
  switch (field) {
    case 'text':
      return title.toLowerCase().includes(value) || handle.toLowerCase().includes(value)
    case 'assignee':
      if (assignee === null) return value === 'none' || value === 'nobody'
      return nameOf(assignee).toLowerCase().startsWith(value) || assignee.toLowerCase() === value
    case 'status':
      return plain(card.status).startsWith(plain(value))
    case 'priority':
      return card.priority.startsWith(value)
    case 'stage':
      return card.stage.startsWith(value)
    case 'label':
      return card.labels.some(label => label.toLowerCase() === value)
    default:
      return isIn(card, value, fresh)
  }
}

function isIn(card: Known, state: string, fresh: ReadonlySet<string>): boolean {
  switch (state) {
    case 'new':
      return fresh.has(card.task_id)
    case 'working':
      return card.run !== null
    case 'waiting':
      return card.waits_for > 0
    case 'blocked':
      return card.status === 'blocked'
    case 'part':
      return card.parent_id !== undefined
    default:
      return false
  }
}

/** `in_progress`, `in-progress` and `inprogress` are one. */
function plain(status: string): string {
  return status.replaceAll(/[_-]/g, '')
}
