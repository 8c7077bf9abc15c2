import { useQuery } from '@tanstack/react-query'
import type { InboxItem } from '#contract/inbox.ts'
import { call } from '../../hub/call.ts'

export const INBOX = ['inbox'] as const

export type Inbox = readonly InboxItem[]

export const useInbox = () =>
  useQuery({
    queryKey: INBOX,
    queryFn: async ({ signal }): Promise<Inbox> => (await call('inbox.list', {}, { signal })).value.items,
  })

/** Narrowed by the project that was chosen; what belongs to none is everybody's. */
export function ofProject(items: Inbox, project: string | null): Inbox {
  return project === null ? items : items.filter(item => item.project_id === project || item.project_id === null)
}
