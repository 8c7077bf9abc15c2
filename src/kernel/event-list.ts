// Reads the event log backwards, for people who look at what happened. Each question walks one index and stops at its limit.
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Rows } from './db/db.ts'

export type EventRow = {
  seq: number
  at: number
  type: string
  project_id: string | null
  caller: string
  payload: string
  touches: string
}
type Tables = { events: EventRow; event_subjects: { subject: string; seq: number } }

export type EventQuery = {
  /** Older than this one. */
  before?: number | undefined
  /** Newer than this one; the nearest of them, so that nothing is skipped. */
  after?: number | undefined
  types?: readonly string[] | undefined
  projectId?: string | undefined
  caller?: string | undefined
  /** An id that stands in the event's payload, as far as `EventSubjects` has been filled. */
  subject?: string | undefined
  limit: number
}

/** Newest first. */
export async function listEvents(rows: Rows, query: EventQuery): Promise<EventRow[]> {
  const q = rows.tables<Tables>()
  const { types, caller, subject, limit } = query
  // With a caller or a subject, their own index is the shorter way.
  const each =
    types === undefined || caller !== undefined || subject !== undefined
      ? [types]
      : [...new Set(types)].map(type => [type])
  // One walk per type: one for all of them would read and sort every event that has one of the types.
  const found = await Promise.all(each.map(wanted => walk(q, query, wanted)))
  const ascending = isForward(query)
  const sorted = found.flat().sort((a, b) => (ascending ? a.seq - b.seq : b.seq - a.seq))
  const kept = sorted.slice(0, limit)
  return ascending ? kept.reverse() : kept
}

const isForward = ({ before, after }: EventQuery) => after !== undefined && before === undefined

function walk(q: Kysely<Tables>, query: EventQuery, types: readonly string[] | undefined): Promise<EventRow[]> {
  const { before, after, projectId, caller, subject, limit } = query
  // What is about one thing is found by its own index, in its order; SQLite keeps the order of a cross join.
  const seq = subject === undefined ? ('events.seq' as const) : ('event_subjects.seq' as const)
  const from =
    subject === undefined
      ? q.selectFrom('events')
      : q
          .selectFrom('event_subjects')
          .crossJoin('events')
          .whereRef('events.seq', '=', 'event_subjects.seq')
          .where('event_subjects.subject', '=', subject)
  return (from as SelectQueryBuilder<Tables, 'events' | 'event_subjects', object>)
    .selectAll('events')
    .where(eb => {
      const all: Expression<SqlBool>[] = []
      if (before !== undefined) all.push(eb(seq, '<', before))
      if (after !== undefined) all.push(eb(seq, '>', after))
      if (projectId !== undefined) all.push(eb('project_id', '=', projectId))
      if (caller !== undefined) all.push(eb('caller', '=', caller))
      if (types?.length === 1) all.push(eb('type', '=', types[0] ?? ''))
      else if (types !== undefined) all.push(eb('type', 'in', [...types]))
      return eb.and(all)
    })
    .orderBy(seq, isForward(query) ? 'asc' : 'desc')
    .limit(limit)
    .execute()
}
