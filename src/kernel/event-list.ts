// Reads the event log, for people who look at what happened and for readers that were away. Each question walks one index, or the
// blocks that have such events, and stops at its limit.
import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Database } from './db/db.ts'
import type { EventRow } from './event-table.ts'

type Tables = {
  events: EventRow
  event_subjects: { subject: string; seq: number }
  event_blocks: { word: number; block: number }
}

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
  /** When it happened, in milliseconds: from then on, and before then. */
  from?: number | undefined
  to?: number | undefined
  /** Patterns of LIKE that the payload fits. */
  like?: readonly string[] | undefined
  limit: number
}

/** Newest first. */
export async function listEvents(database: Database, query: EventQuery): Promise<EventRow[]> {
  const { types, caller, subject, limit } = query
  const numbers = await numbersOf(database.tables<Tables>(), query)
  // With a caller or a subject, their own index is the shorter way.
  const each =
    types === undefined || caller !== undefined || subject !== undefined
      ? [types]
      : [...new Set(types)].map(type => [type])
  // One walk per type: one for all of them would read and sort every event that has one of the types.
  const found = await Promise.all(each.map(wanted => walk(database, { ...query, ...numbers, types: wanted }).execute()))
  const ascending = isForward(query)
  const sorted = found.flat().sort((a, b) => (ascending ? a.seq - b.seq : b.seq - a.seq))
  const kept = sorted.slice(0, limit)
  return ascending ? kept.reverse() : kept
}

/** Without their rows, in the order of the walk, behind the first `skipped`. */
export async function eventNumbers(database: Database, query: EventQuery, skipped = 0): Promise<number[]> {
  const found = await walk(database, query).clearSelect().select('events.seq').offset(skipped).execute()
  return found.map(({ seq }) => seq)
}

type Numbers = { lowest?: number | undefined; beyond?: number | undefined }

/** How far a machine's clock may have been set back without an event being missed. */
const SET_BACK_MS = 24 * 3600_000

/** Times as numbers of events, which is what every index is in the order of. Wider than asked, since clocks are set back. */
async function numbersOf(q: Kysely<Tables>, { from, to }: EventQuery): Promise<Numbers> {
  return {
    lowest: from === undefined ? undefined : await firstSince(q, from - SET_BACK_MS),
    beyond: to === undefined ? undefined : await firstSince(q, to + SET_BACK_MS),
  }
}

/**
 * The number of the first event at this time or later; one more than the last where there is none. Found by halving: events are
 * numbered in the order of their times, but for those around a moment at which the machine's clock was set back.
 */
async function firstSince(q: Kysely<Tables>, time: number): Promise<number> {
  const at = (seq: number) =>
    q.selectFrom('events').select(['seq', 'at']).where('seq', '>=', seq).orderBy('seq').limit(1).executeTakeFirst()
  const last = await q.selectFrom('events').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  let [low, high] = [1, (last?.seq ?? 0) + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await at(middle)
    if (!found || found.at >= time) high = middle
    else low = found.seq + 1
  }
  return low
}

/** From `after` on, and not back from `before` or from the newest. */
export const isForward = ({ before, after }: EventQuery) => after !== undefined && before === undefined

type From = SelectQueryBuilder<Tables, 'events' | 'event_subjects' | 'event_blocks', object>

function walk(database: Database, query: EventQuery & Numbers) {
  const { before, after, lowest, beyond, projectId, caller, subject, types, like = [], limit } = query
  const q = database.tables<Tables>()
  const words = [caller, types?.length === 1 ? types[0] : undefined, projectId].filter(word => word !== undefined)
  const { block } = database.events
  const inBlocks = subject === undefined && block !== undefined && words.length > 0
  const direction = isForward(query) ? 'asc' : 'desc'
  // What is about one thing is found by its own index, in its order; SQLite keeps the order of a cross join.
  const seq = subject === undefined ? ('events.seq' as const) : ('event_subjects.seq' as const)
  const from =
    subject !== undefined ? about(q, subject) : inBlocks ? among(q, block, words, query) : q.selectFrom('events')
  const chosen = (from as From).selectAll('events').where(eb => {
    const all: Expression<SqlBool>[] = like.map(pattern => eb('payload', 'like', pattern))
    if (before !== undefined) all.push(eb(seq, '<', before))
    if (after !== undefined) all.push(eb(seq, '>', after))
    if (lowest !== undefined) all.push(eb(seq, '>=', lowest))
    if (beyond !== undefined) all.push(eb(seq, '<', beyond))
    if (query.from !== undefined) all.push(eb('at', '>=', query.from))
    if (query.to !== undefined) all.push(eb('at', '<', query.to))
    if (projectId !== undefined) all.push(eb('project_id', '=', projectId))
    if (caller !== undefined) all.push(eb('caller', '=', caller))
    if (types?.length === 1) all.push(eb('type', '=', types[0] ?? ''))
    else if (types !== undefined) all.push(eb('type', 'in', [...types]))
    return eb.and(all)
  })
  const ordered = inBlocks ? chosen.orderBy('event_blocks.block', direction) : chosen
  return ordered.orderBy(seq, direction).limit(limit)
}

function about(q: Kysely<Tables>, subject: string) {
  return q
    .selectFrom('event_subjects')
    .crossJoin('events')
    .whereRef('events.seq', '=', 'event_subjects.seq')
    .where('event_subjects.subject', '=', subject)
}

/** The blocks that have all of the words; in each of them, its rows. */
function among(q: Kysely<Tables>, block: number, words: readonly string[], query: EventQuery & Numbers) {
  const { before, after, lowest, beyond } = query
  const [first = '', ...others] = words
  const idOf = (word: string) => sql<number>`(SELECT id FROM event_words WHERE word = ${word})`
  const start = sql<number>`event_blocks.block * ${sql.lit(block)}`
  const hasToo = (word: string) => (eb: ExpressionBuilder<Tables, 'event_blocks'>) =>
    eb.exists(
      eb
        .selectFrom('event_blocks as other')
        .select(sql`1`.as('one'))
        .where('other.word', '=', idOf(word))
        .whereRef('other.block', '=', 'event_blocks.block'),
    )
  let blocks = q.selectFrom('event_blocks').where('event_blocks.word', '=', idOf(first))
  for (const bound of [before, beyond])
    if (bound !== undefined) blocks = blocks.where('event_blocks.block', '<=', Math.floor(bound / block))
  for (const bound of [after, lowest])
    if (bound !== undefined) blocks = blocks.where('event_blocks.block', '>=', Math.floor(bound / block))
  for (const word of others) blocks = blocks.where(hasToo(word))
  return blocks
    .crossJoin('events')
    .where('events.seq', '>=', start)
    .where('events.seq', '<', sql<number>`${start} + ${sql.lit(block)}`)
}
