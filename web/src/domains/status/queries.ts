import { useQuery } from '@tanstack/react-query'
import { call } from '../../hub/call.ts'

export const STATUS = ['status'] as const
export const TAB_COUNT = ['tab-count'] as const
export const COST_TODAY = ['cost-today'] as const
const OVERLAPS = ['overlaps'] as const

export const useStatus = () =>
  useQuery({ queryKey: STATUS, queryFn: async ({ signal }) => (await call('hub.status', {}, { signal })).value })

export const useTabCount = (project: string | null) =>
  useQuery({
    queryKey: TAB_COUNT,
    queryFn: async ({ signal }) => (await call('tab.list', { limit: 200 }, { signal })).value.tabs,
    select: tabs => tabs.filter(({ project_id }) => project === null || project_id === project).length,
  })

/** What fills a view that has nothing to show before. */
export const FILLED_BY = {
  changes: ['worktree.created'],
  phases: ['phase.started', 'phase.ended'],
  memory: ['topic.added', 'entry.added', 'decision.added'],
}
export const FILLED = ['filled'] as const

/** Those that have nothing to show yet. */
export const useEmptyViews = () =>
  useQuery({
    queryKey: FILLED,
    queryFn: async ({ signal }) => {
      const views = Object.entries(FILLED_BY)
      const found = await Promise.all(views.map(([, types]) => call('event.list', { types, limit: 1 }, { signal })))
      return views.flatMap(([view], at) => (found[at]?.value.events.length === 0 ? view : []))
    },
  })

/** The key of the Changes view's own list begins the same: an event about overlaps is for both. */
export const useOverlapCount = (project: string | null) =>
  useQuery({
    queryKey: [...OVERLAPS, 'count', project],
    queryFn: async ({ signal }) =>
      (await call('overlap.list', { ...(project !== null && { project_id: project }) }, { signal })).value.overlaps
        .length,
  })
