import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { InboxItem } from '#contract/inbox.ts'
import { call } from '../../hub/call.ts'
import { createStore } from '../../hub/store.ts'
import { useStore } from '../../parts/use-store.ts'

export const INBOX = ['inbox'] as const

export type Inbox = readonly InboxItem[]
/** `nextAt`: when the next one that was snoozed is back. */
type Answer = { items: Inbox; nextAt: number | undefined }

/** Dealt with on this page, while the hub has not answered yet: not listed, whatever is heard of them meanwhile. */
export const leaving = createStore<ReadonlySet<string>>(new Set())

export function leaves(itemId: string, isLeaving: boolean): void {
  leaving.set(before => {
    const next = new Set(before)
    if (isLeaving) next.add(itemId)
    else next.delete(itemId)
    return next
  })
}

/** Browsers count no further. */
const LONGEST_MS = 2 ** 31 - 1

export function useInbox() {
  const { data, dataUpdatedAt, refetch, ...rest } = useQuery({
    queryKey: INBOX,
    queryFn: async ({ signal }): Promise<Answer> => {
      const { items, next_at } = (await call('inbox.list', {}, { signal })).value
      return { items, nextAt: next_at === null ? undefined : Date.parse(next_at) }
    },
  })
  const nextAt = data?.nextAt
  useEffect(() => {
    if (nextAt === undefined) return undefined
    // The hub's clock may be behind this one: asked again after each answer, and not all the time.
    const wait = Math.max(nextAt - Date.now() + 500, dataUpdatedAt + 5000 - Date.now())
    const timer = setTimeout(() => void refetch(), Math.min(LONGEST_MS, wait))
    return () => clearTimeout(timer)
  }, [nextAt, dataUpdatedAt, refetch])
  const gone = useStore(leaving)
  const items = useMemo(() => data && listedOf(data.items, gone), [data, gone])
  return { ...rest, refetch, data: items }
}

/** The same list where nothing leaves: equal ones are drawn once. */
export const listedOf = (items: Inbox, gone: ReadonlySet<string>): Inbox =>
  gone.size === 0 ? items : items.filter(({ item_id }) => !gone.has(item_id))

/** At once, before the hub has worked it out. */
export function without(answer: unknown, itemId: string): unknown {
  if (answer === undefined) return answer
  const known = answer as Answer
  return { ...known, items: known.items.filter(({ item_id }) => item_id !== itemId) }
}

/** Narrowed by the project that was chosen; what belongs to none is always shown. */
export function ofProject(items: Inbox, project: string | null): Inbox {
  return project === null ? items : items.filter(item => item.project_id === project || item.project_id === null)
}
