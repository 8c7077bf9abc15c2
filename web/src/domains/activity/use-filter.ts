import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useToday } from '../../parts/live-time.tsx'
import { type Days, daysIn } from './days.ts'
import { type Group, GROUPS } from './model.ts'
import type { Filter } from './queries.ts'

export type Narrow = (change: {
  group?: Group | null
  caller?: string | null
  subject?: string | null
  days?: Days | null
}) => void

const PARAMS = { group: 'type', caller: 'who', subject: 'about', days: 'days' } as const

/** In the address, so that Back and a pasted address work. */
export function useFilter(): [Filter, Narrow] {
  const search = useSearch()
  const [, navigate] = useLocation()
  const date = useToday()
  const filter = useMemo((): Filter => {
    const query = new URLSearchParams(search)
    const type = query.get('type')
    const days = daysIn(query.get('days'), query.has('about'))
    return {
      group: GROUPS.find(group => group === type) ?? null,
      caller: query.get('who'),
      subject: query.get('about'),
      project: query.get('project'),
      days,
      today: days === 'today' ? date : null,
    }
  }, [search, date])
  const narrow: Narrow = useCallback(
    change => {
      const query = new URLSearchParams(search)
      for (const [name, value] of Object.entries(change)) {
        const param = PARAMS[name as keyof typeof PARAMS]
        if (value === null || value === undefined) query.delete(param)
        else query.set(param, value)
      }
      const text = query.toString()
      navigate(text === '' ? '/activity' : `/activity?${text}`)
    },
    [search, navigate],
  )
  return [filter, narrow]
}
