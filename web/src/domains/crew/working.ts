// Who is at work, for the frame of the page: apart from what only this domain's views ask for, which loads with them.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../hub/call.ts'
import { itemOf, type WorkView } from './work.ts'

export const WORKING_KEY = ['crew-working'] as const

const WORKING: ReadonlySet<WorkView['status']> = new Set(['starting', 'running', 'reported'])

/** Who is at work without a terminal. */
export const useWorking = () =>
  useQuery({
    queryKey: WORKING_KEY,
    queryFn: async ({ signal }) => {
      const { work } = (await call('work.list', { last_actions: false }, { signal })).value
      return work.map(itemOf).filter(({ kind, status }) => kind !== 'tab' && WORKING.has(status))
    },
  })
