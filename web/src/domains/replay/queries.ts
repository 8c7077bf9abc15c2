import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ApiOutput } from '#contract/api.ts'
import type { EventNames, StoredEvent } from '#contract/events.ts'
import { EVENTS_MAX } from '#contract/limits.ts'
import { call } from '../../hub/call.ts'
import { line } from '../../hub/event-line.ts'
import { createStore } from '../../hub/store.ts'
import { useStore } from '../../parts/use-store.ts'
import type { TaskNow } from './model.ts'

export const SPANS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
export type Span = keyof typeof SPANS
export type Wanted = { span: Span; project: string | null; crew: string | null }

export type Recorded = {
  events: StoredEvent[]
  names: EventNames
  tasks: TaskNow[]
  isCut: boolean
  /** Nothing up to this event is missing; undefined: it is over, and nothing comes any more. */
  seen: number | undefined
}

/** More than a person scrubs through, and what a browser still holds with ease. */
const MOST = 20_000

/** How many are there already, while it loads. */
export const loaded = createStore(0)

const keyOf = (wanted: Wanted) => ['replay', wanted] as const

const filterOf = ({ project, crew }: Wanted) => ({
  ...(project !== null && { project_id: project }),
  ...(crew !== null && { subject: crew }),
})

export const useRecorded = (wanted: Wanted) =>
  useQuery({
    queryKey: keyOf(wanted),
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Recorded> => {
      const { project, crew, span } = wanted
      const only = filterOf(wanted)
      const from = crew === null ? Date.now() - SPANS[span] : 0
      const life = crew === null ? {} : await lifeOf(crew, signal)
      const names: EventNames[] = []
      const events: StoredEvent[] = []
      let isCut = false
      let seen: number | undefined
      loaded.set(0)
      for (let before = life.before; ; ) {
        const { after } = life
        const input = { ...only, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
        const { value, seq } = await call('event.list', { ...input, limit: EVENTS_MAX }, { signal })
        // What comes after the first answer is added later.
        seen ??= Math.max(seq, value.events[0]?.seq ?? 0)
        const inside = value.events.filter(({ at }) => Date.parse(at) >= from)
        events.push(...inside)
        names.push(value.names)
        loaded.set(events.length)
        before = value.events.at(-1)?.seq
        isCut = events.length >= MOST
        if (isCut || before === undefined || !value.truncated || inside.length < value.events.length) break
      }
      const tasks = await tasksNow(project, signal)
      const isOver = life.before !== undefined
      return { events: events.reverse(), names: merged(names), tasks, isCut, seen: isOver ? undefined : seen }
    },
  })

/** Often enough for who looks on, and one question for all that happened meanwhile. */
const GOES_ON_MS = 500

/** The recording goes on while it is looked at: its end is now. */
export function useGoingOn(wanted: Wanted, recorded: Recorded | undefined): void {
  const queries = useQueryClient()
  const now = useStore(line)
  const seen = recorded?.seen
  const isBehind = seen !== undefined && now.kind === 'live' && now.seq > seen
  const { span, project, crew } = wanted
  useEffect(() => {
    if (!isBehind) return undefined
    const given = new AbortController()
    const ask = async () => {
      const wish = { span, project, crew }
      const input = { ...filterOf(wish), after: seen, limit: EVENTS_MAX }
      const { value, seq } = await call('event.list', input, { signal: given.signal })
      queries.setQueryData<Recorded>(keyOf(wish), before => before && grown(before, value, seq))
    }
    let timer: ReturnType<typeof setTimeout>
    const soon = () => {
      // Nobody waits for it any more, or the hub was away for a moment.
      timer = setTimeout(() => void ask().catch(() => given.signal.aborted || soon()), GOES_ON_MS)
    }
    soon()
    return () => {
      clearTimeout(timer)
      given.abort()
    }
  }, [queries, isBehind, seen, span, project, crew])
}

type Newer = Pick<ApiOutput<'event.list'>, 'events' | 'names' | 'truncated'>

/** With what came since. `seq`: the last event that the hub knew when it answered. */
export function grown(before: Recorded, { events, names, truncated }: Newer, seq: number): Recorded {
  const fresh = events.filter(event => event.seq > (before.seen ?? 0)).toReversed()
  const last = fresh.at(-1)?.seq ?? 0
  const seen = truncated ? last : Math.max(seq, last)
  if (fresh.length === 0) return { ...before, seen }
  return { ...before, events: [...before.events, ...fresh], names: merged([before.names, names]), seen }
}

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
