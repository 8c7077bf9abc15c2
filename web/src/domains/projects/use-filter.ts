// Filters live in the address: Back works, and a pasted address shows the same.
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Filter } from './model.ts'
import { type Query, queryOf } from './query.ts'

export type BoardPlace = {
  filter: Filter
  /** What its text says. */
  query: Query
  change: (change: Partial<Filter>) => void
  search: string
}

export function useFilter(): BoardPlace {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const filter = useMemo(() => {
    const query = new URLSearchParams(search)
    return { project: query.get('project'), assignee: query.get('assignee'), text: query.get('q') ?? '' }
  }, [search])
  const query = useMemo(() => queryOf(filter.text), [filter.text])
  const change = useCallback(
    (given: Partial<Filter>) => {
      const { project, assignee, text } = { ...filter, ...given }
      const query = new URLSearchParams()
      if (project !== null) query.set('project', project)
      if (assignee !== null) query.set('assignee', assignee)
      if (text !== '') query.set('q', text)
      const next = query.toString()
      navigate(next === '' ? path : `${path}?${next}`, { replace: given.text !== undefined })
    },
    [filter, path, navigate],
  )
  return { filter, query, change, search: search === '' ? '' : `?${search}` }
}
