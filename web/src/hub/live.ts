// How events change what is shown. Each domain has a table: event type → what to do with what was asked before.
import type { QueryClient } from '@tanstack/react-query'
import type { StoredEvent } from '#contract/events.ts'

export type LiveContext = {
  queries: QueryClient
  /** Asks again for all that begins with this key, joined over a moment. */
  refetch: (key: readonly unknown[]) => void
}

export type Live = Record<string, (event: StoredEvent, context: LiveContext) => void>

const JOIN_MS = 100

/**
 * Joins what is to be asked again: one request per key, however many events wanted it. A request that runs is not cancelled: under
 * many events none would ever be answered. What was wanted meanwhile is asked once more after it.
 */
export function refetcher(queries: Pick<QueryClient, 'invalidateQueries' | 'isFetching'>): LiveContext['refetch'] {
  const wanted = new Map<string, readonly unknown[]>()
  const running = new Set<string>()
  const late = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refetch = (key: readonly unknown[]) => {
    const id = JSON.stringify(key)
    if (running.has(id)) {
      late.add(id)
      return
    }
    wanted.set(id, key)
    timer ??= setTimeout(ask, JOIN_MS)
  }
  const ask = () => {
    timer = undefined
    const keys = [...wanted]
    wanted.clear()
    // Before any is asked: keys may lie within each other. A request of another part may have left before the event.
    for (const [id, queryKey] of keys) if (queries.isFetching({ queryKey }) > 0) late.add(id)
    for (const [id, queryKey] of keys) {
      running.add(id)
      const settled = () => {
        running.delete(id)
        if (late.delete(id)) refetch(queryKey)
      }
      queries.invalidateQueries({ queryKey }, { cancelRefetch: false }).then(settled, settled)
    }
  }
  return refetch
}
