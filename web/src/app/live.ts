// Every event of the hub has its place here: a domain's table, or the list of those that nothing on the page shows yet.
import type { QueryClient } from '@tanstack/react-query'
import type { StoredEvent } from '#contract/events.ts'
import type { WorktreeChanged } from '#contract/worktrees.ts'
import { type Live, refetcher } from '../hub/live.ts'
import { forgetHeard, hear as hearAll } from '../domains/activity/live.ts'
import { filesChanged, live as changes } from '../domains/changes/live.ts'
import { live as crew } from '../domains/crew/live.ts'
import { live as inbox } from '../domains/inbox/live.ts'
import { live as memory } from '../domains/memory/live.ts'
import { live as phases } from '../domains/phases/live.ts'
import { live as projects } from '../domains/projects/live.ts'
import { live as settings } from '../domains/settings/live.ts'
import { live as status } from '../domains/status/live.ts'
import { live as tabs } from '../domains/tabs/live.ts'
import { live as thread } from '../domains/thread/live.ts'

export { forgetHeard }

export const TABLES: readonly Live[] = [
  ...[changes, crew, inbox, memory, phases, projects, settings, status, tabs, thread],
]

/** No view shows what these are about. A view that comes takes its own out of here. */
export const IGNORED: readonly string[] = [
  ...['call.refused', 'agent.toolsets_changed', 'agent.passkey_rotated', 'agent.sign_in_failed'],
  'memory.index_rebuilt',
]

export function applier(queries: QueryClient): (events: readonly StoredEvent[]) => void {
  const context = { queries, refetch: refetcher(queries) }
  return events => {
    hearAll(events, context)
    for (const event of events) for (const table of TABLES) table[event.type]?.(event, context)
  }
}

export function changeApplier(queries: QueryClient): (change: WorktreeChanged) => void {
  const refetch = refetcher(queries)
  return change => filesChanged(change, refetch)
}
