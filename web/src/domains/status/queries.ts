import { useQuery } from '@tanstack/react-query'
import { call } from '../../hub/call.ts'

export const STATUS = ['status'] as const
export const TAB_COUNT = ['tab-count'] as const

export const useStatus = () =>
  useQuery({ queryKey: STATUS, queryFn: async ({ signal }) => (await call('hub.status', {}, { signal })).value })

export const useTabCount = () =>
  useQuery({
    queryKey: TAB_COUNT,
    queryFn: async ({ signal }) => (await call('tab.list', { limit: 200 }, { signal })).value.tabs.length,
  })
