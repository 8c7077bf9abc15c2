import { useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contract/api.ts'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { EVENTS_MAX } from '#contract/limits.ts'
import { call } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import type { TaskNow } from './model.ts'

export const SPANS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type Span = keyof typeof SPANS
export type Wanted = { span: Span; project: string | null; crew: string | null }

export type Recorded = { events: StoredEvent[]; names: EventNames; tasks: TaskNow[]; isCut: boolean }

/** More than a person scrubs through, and what a browser still holds with ease. */
const MOST = 20_000

/** How many are there already, while it loads. */
export const loaded = createStore(0)

export const useRecorded = (wanted: Wanted) =>
  useQuery({
    queryKey: ['replay', wanted],
    // A recording: what happens meanwhile is in the next one.
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Recorded> => {
      const { project, crew, span } = wanted
      const only = { ...(project !== null && { project_id: project }), ...(crew !== null && { subject: crew }) }
      const from = crew === null ? Date.now() - SPANS[span] : 0
      const life = crew === null ? {} : await lifeOf(crew, signal)
      const names: EventNames[] = []
      const events: StoredEvent[] = []
      let isCut = false
      loaded.set(0)
      for (let before = life.before; ; ) {
        const { after } = life
        const input = { ...only, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
        const { value } = await call('event.list', { ...input, limit: EVENTS_MAX }, { signal })
        const inside = value.events.filter(({ at }) => Date.parse(at) >= from)
        events.push(...inside)
        names.push(value.names)
        loaded.set(events.length)
        before = value.events.at(-1)?.seq
        isCut = events.length >= MOST
        if (isCut || before === undefined || !value.truncated || inside.length < value.events.length) break
      }
      return { events: events.reverse(), names: merged(names), tasks: await tasksNow(project, signal), isCut }
    },
  })

/**
 * Between which events a crew lived. What is about it is found by its id in the text of each event: without these two, all of the log
 * would be read for it. Both are found by the type of the event, which has an index.
 */
async function lifeOf(crew: string, signal: AbortSignal): Promise<{ after?: number; before?: number }> {
  const edge = async (types: string[]) =>
    (await call('event.list', { types, subject: crew, limit: 1 }, { signal })).value.events[0]?.seq
  const [made, shown] = await Promise.all([
    edge(['group:created']),
    // One that was deleted is over.
    call('crew.show', { crew_id: crew }, { signal }).catch(() => undefined),
  ])
  const isOver = shown?.value.runs.every(({ ended_at }) => ended_at !== null) ?? true
  const last = isOver ? await edge(['run.ended', 'run.settled', 'plan.ended', 'group:deleted']) : undefined
  return { ...(made !== undefined && { after: made - 1 }), ...(last !== undefined && { before: last + 1 }) }
}

function merged(all: readonly EventNames[]): EventNames {
  const names: EventNames = { tasks: {}, agents: {}, projects: {}, tabs: {}, runs: {}, topics: {}, decisions: {} }
  for (const some of all)
    for (const kind of Object.keys(names) as (keyof EventNames)[]) Object.assign(names[kind], some[kind])
  return names
}

async function tasksNow(project: string | null, signal: AbortSignal): Promise<TaskNow[]> {
  const closed_since = new Date(Date.now() - 2 * SPANS.week).toISOString()
  const cards: ApiOutput<'task.cards'>['cards'] = []
  let cursor: string | undefined
  do {
    const input = { closed_since, ...(project !== null && { project_id: project }), ...(cursor && { cursor }) }
    const { value } = await call('task.cards', input, { signal })
    cards.push(...value.cards)
    cursor = value.next_cursor
  } while (cursor !== undefined)
  return cards.map(({ task_id, handle, title, status, assignee_id }) => ({
    ...{ id: task_id, handle, title, status, agentId: assignee_id },
  }))
}
