import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { ApiInput, ApiOutput } from '#contract/api.ts'
import { call } from '../../hub/call.ts'
import { useToday } from '../../parts/live-time.tsx'
import { type Days, listed, spanOf, startsIn } from './days.ts'
import { DAILY } from './live.ts'
import { type Group, groupOf, mergeNames } from './model.ts'
import { en as sentences } from './sentences.ts'

export type Filter = {
  group: Group | null
  caller: string | null
  project: string | null
  subject: string | null
  days: Days
  /** Where only its events are listed: a page that is open over midnight lists those of the next. */
  today: string | null
}
type Answer = ApiOutput<'event.list'>
/** `seen`: nothing up to there is missing in front of it. */
export type Page = Answer & { seen: number }
type Pages = InfiniteData<Page, number | undefined>

const PAGE = 100
const KEPT = 1000

const keyOf = (filter: Filter) => ['events', filter] as const

export function inputOf({ group, caller, project, subject, days }: Filter): ApiInput<'event.list'> {
  return {
    ...(group !== null && { types: Object.keys(sentences).filter(type => groupOf(type) === group) }),
    ...(caller !== null && { caller }),
    ...(project !== null && { project_id: project }),
    ...(subject !== null && { subject }),
    ...listed(days, new Date()),
  }
}

export const useEvents = (filter: Filter) =>
  useInfiniteQuery({
    queryKey: keyOf(filter),
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => load(filter, pageParam === undefined ? {} : { before: pageParam }, signal),
    getNextPageParam: ({ events, truncated }) => (truncated ? events.at(-1)?.seq : undefined),
  })

/** What came since, in front of what is there. One at a time: the caller waits for it. */
export async function pullNewer(queries: QueryClient, filter: Filter): Promise<void> {
  const after = queries.getQueryData<Pages>(keyOf(filter))?.pages[0]?.seen
  if (after === undefined) return
  const newer = await load(filter, { after })
  queries.setQueryData<Pages>(keyOf(filter), old => {
    const [first, ...older] = old?.pages ?? []
    if (!old || !first || first.seen !== after) return old
    const events = [...newer.events, ...first.events]
    const names = mergeNames([first.names, newer.names])
    const page = { ...first, events, names, seen: newer.truncated ? (newer.events[0]?.seq ?? after) : newer.seen }
    // A page that is open all day must not grow all day: what is older is loaded again when a person scrolls there.
    if (events.length > KEPT)
      return {
        pages: [{ ...page, events: events.slice(0, PAGE), truncated: true }],
        pageParams: old.pageParams.slice(0, 1),
      }
    return { ...old, pages: [page, ...older] }
  })
}

async function load(filter: Filter, span: { before?: number; after?: number }, signal?: AbortSignal): Promise<Page> {
  const { value, seq } = await call('event.list', { ...inputOf(filter), ...span, limit: PAGE }, { signal })
  return { ...value, seen: Math.max(seq, value.events[0]?.seq ?? 0) }
}

/** By local days; at midnight the latest are those of the next day. */
export const useDaily = (project: string | null, days: Days) =>
  useQuery({
    queryKey: [...DAILY, project, days, useToday()],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const span = spanOf(days, new Date())
      const asked = { from: span.from.toISOString(), to: span.to.toISOString(), starts: startsIn(span) }
      return (await call('stats.daily', { ...asked, ...(project !== null && { project_id: project }) }, { signal }))
        .value.days
    },
  })
