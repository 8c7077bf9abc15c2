// How things stood at a moment, told by events alone. Pure: the same events always give the same picture.
import type { TaskStatus } from '#contract/projects.ts'

export type ReplayEvent = { seq: number; at: string; type: string; payload: unknown }

/** A task as it is today; how it began is found by going back. */
export type TaskNow = { id: string; handle: string; title: string; status: TaskStatus; agentId: string | null }

export type TaskThen = TaskNow & {
  /** The event that put it where it is; undefined: it was there from the start. */
  movedBy: number | undefined
}

export type WorkThen = {
  id: string
  kind: 'run' | 'tab'
  /** Null until a person says so. */
  agentId: string | null
  taskId: string | null
  crewId: string | null
  /** Of a crew: its role; of a tab: its branch. */
  label: string | null
  /** Null: before the first event. */
  startedAt: number | null
  endedAt: number | null
  outcome: string | null
  isWaiting: boolean
}

export type MessageThen = { id: string; tabId: string; from: string; state: 'queued' | 'delivered' | 'undeliverable' }

export type Picture = {
  tasks: Map<string, TaskThen>
  work: Map<string, WorkThen>
  messages: Map<string, MessageThen>
}

export type Film = {
  events: readonly ReplayEvent[]
  /** Milliseconds from the start, with long gaps shortened. */
  times: readonly number[]
  length: number
  /** As it stood before the event of each index. */
  checkpoints: readonly { index: number; picture: Picture }[]
  /** Events of earlier versions say only the id of a task. */
  known: ReadonlyMap<string, TaskNow>
}

const EVERY = 200
/** A night in which nothing happened is not worth watching. */
export const GAP_MS = 5000
const KEPT_MESSAGES = 50

/** `events` oldest first. */
export function film(events: readonly ReplayEvent[], now: readonly TaskNow[]): Film {
  const picture = before(events, now)
  const known = new Map(now.map(task => [task.id, task]))
  const checkpoints = [{ index: 0, picture: copy(picture) }]
  const times: number[] = []
  let time = 0
  for (const [index, event] of events.entries()) {
    const earlier = events[index - 1]
    // Each has a moment of its own, so that one can be told from the next.
    if (earlier) time += Math.min(GAP_MS, Math.max(1, Date.parse(event.at) - Date.parse(earlier.at)))
    times.push(time)
    if (index > 0 && index % EVERY === 0) checkpoints.push({ index, picture: copy(picture) })
    apply(picture, event, known)
  }
  return { events, times, length: time, checkpoints, known }
}

/** After the first `count` events. */
export function pictureAt({ events, checkpoints, known }: Film, count: number): Picture {
  const from = checkpoints.findLast(({ index }) => index <= count) ?? checkpoints[0]
  const picture = from ? copy(from.picture) : { tasks: new Map(), work: new Map(), messages: new Map() }
  for (const event of events.slice(from?.index ?? 0, count)) apply(picture, event, known)
  return picture
}

/** How many events have happened by then. */
export function countAt({ times }: Film, ms: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a moment of the day is in the film. */
export function filmTime({ events, times, length }: Film, moment: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (Date.parse(events[middle]?.at ?? '') < moment) low = middle + 1
    else high = middle
  }
  return times[low] ?? length
}

type Facts = Partial<Record<string, string | null>>

/** What there was before the first event: today's tasks, each with what its first change says it was before. */
function before(events: readonly ReplayEvent[], now: readonly TaskNow[]): Picture {
  const tasks = new Map<string, TaskThen>(now.map(task => [task.id, { ...task, movedBy: undefined }]))
  const work = new Map<string, WorkThen>()
  const begun = new Set<string>()
  const seen = new Set<string>()
  for (const { type, payload } of events) {
    const facts = payload as Facts
    const task = tasks.get(facts['taskId'] ?? '')
    if (type === 'task.added') tasks.delete(facts['taskId'] ?? '')
    if (task && type === 'task.moved' && !seen.has(`moved ${task.id}`)) {
      seen.add(`moved ${task.id}`)
      task.status = (facts['from'] ?? task.status) as TaskStatus
    }
    if (task && type === 'task.assigned' && !seen.has(`assigned ${task.id}`)) {
      seen.add(`assigned ${task.id}`)
      // Events of earlier versions do not say who had it.
      if (facts['from'] !== undefined) task.agentId = facts['from']
    }
    const id = facts['runId'] ?? facts['tabId']
    if (typeof id !== 'string' || !STARTS_AND_ENDS.has(type)) continue
    if (type === 'run.started' || type === 'tab.created') begun.add(id)
    else if (!begun.has(id) && !work.has(id)) work.set(id, fresh(id, facts, null))
  }
  return { tasks, work, messages: new Map() }
}

const STARTS_AND_ENDS = new Set([
  'run.started',
  'run.taken',
  'run.ended',
  'tab.created',
  'tab.status_changed',
  'tab.ended',
])

function fresh(id: string, facts: Facts, startedAt: number | null): WorkThen {
  return {
    ...{ id, kind: facts['tabId'] === undefined ? 'run' : 'tab', agentId: facts['agentId'] ?? null },
    ...{ taskId: facts['taskId'] ?? null, crewId: facts['crewId'] ?? null },
    label: facts['role'] ?? facts['branch'] ?? null,
    ...{ startedAt, endedAt: null, outcome: null, isWaiting: false },
  }
}

function apply(
  { tasks, work, messages }: Picture,
  { seq, at, type, payload }: ReplayEvent,
  known: Film['known'],
): void {
  const facts = payload as Facts
  const moment = Date.parse(at)
  const task = tasks.get(facts['taskId'] ?? '')
  const one = work.get(facts['runId'] ?? facts['tabId'] ?? '')
  switch (type) {
    case 'task.added':
      return added(tasks, facts, seq, known)
    case 'task.moved':
      if (task) tasks.set(task.id, { ...task, status: facts['to'] as TaskStatus, movedBy: seq })
      return
    case 'task.assigned':
      if (task) tasks.set(task.id, { ...task, agentId: facts['agentId'] ?? null })
      return
    case 'task.edited':
      if (task && typeof facts['title'] === 'string') tasks.set(task.id, { ...task, title: facts['title'] })
      return
    case 'run.started':
    case 'tab.created':
      return begin(work, facts, moment)
    case 'run.taken':
      if (one)
        work.set(one.id, { ...one, agentId: facts['agentId'] ?? one.agentId, taskId: facts['taskId'] ?? one.taskId })
      return
    case 'run.ended':
    case 'tab.ended':
      if (one)
        work.set(one.id, {
          ...one,
          endedAt: moment,
          outcome: facts['outcome'] ?? facts['reason'] ?? null,
          isWaiting: false,
        })
      return
    case 'tab.status_changed':
      if (one) work.set(one.id, { ...one, isWaiting: facts['status'] === 'waiting' })
      return
    case 'message.queued':
      return said(messages, facts, 'queued')
    case 'message.delivered':
      return said(messages, facts, 'delivered')
    case 'message.undeliverable':
      return said(messages, facts, 'undeliverable')
  }
}

function added(tasks: Picture['tasks'], facts: Facts, seq: number, known: Film['known']): void {
  const { taskId: id, agentId = null } = facts
  if (typeof id !== 'string') return
  const later = known.get(id)
  const handle = facts['handle'] ?? later?.handle ?? ''
  const title = facts['title'] ?? later?.title ?? id
  tasks.set(id, { id, handle, title, status: (facts['status'] ?? 'todo') as TaskStatus, agentId, movedBy: seq })
}

function begin(work: Picture['work'], facts: Facts, moment: number): void {
  const id = facts['runId'] ?? facts['tabId']
  if (typeof id === 'string') work.set(id, fresh(id, facts, moment))
}

function said(messages: Picture['messages'], { messageId: id, tabId, from }: Facts, state: MessageThen['state']): void {
  if (typeof id !== 'string') return
  messages.set(id, { id, tabId: tabId ?? '', from: from ?? '', state })
  const oldest = messages.keys().next().value
  if (messages.size > KEPT_MESSAGES && oldest !== undefined) messages.delete(oldest)
}

/** Its entries are never changed, only replaced. */
function copy({ tasks, work, messages }: Picture): Picture {
  return { tasks: new Map(tasks), work: new Map(work), messages: new Map(messages) }
}
