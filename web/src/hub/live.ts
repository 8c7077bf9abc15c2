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

/** Joins what is to be asked again: one request per key, however many events wanted it. */
export function refetcher(queries: QueryClient): (key: readonly unknown[]) => void {
  const wanted = new Map<string, readonly unknown[]>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return key => {
    wanted.set(JSON.stringify(key), key)
    timer ??= setTimeout(() => {
      timer = undefined
      const keys = [...wanted.values()]
      wanted.clear()
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey })
    }, JOIN_MS)
  }
}
