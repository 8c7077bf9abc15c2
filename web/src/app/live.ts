// Every event of the hub has its place here: a domain's table, or the list of those that nothing on the page shows yet.
import type { QueryClient } from '@tanstack/react-query'
import type { StoredEvent } from '#contract/events.ts'
import { type Live, refetcher } from '../hub/live.ts'
import { hear as hearAll } from '../domains/activity/live.ts'
import { live as crew } from '../domains/crew/live.ts'
import { live as inbox } from '../domains/inbox/live.ts'
import { live as projects } from '../domains/projects/live.ts'
import { live as status } from '../domains/status/live.ts'
import { live as thread } from '../domains/thread/live.ts'

export const TABLES: readonly Live[] = [crew, inbox, projects, status, thread]

/** No view shows what these are about. A view that comes takes its own out of here. */
export const IGNORED: readonly string[] = [
  ...['call.refused', 'agent.toolsets_changed', 'agent.passkey_rotated', 'agent.sign_in_failed'],
  ...['runner.added', 'runner.revoked', 'token.added', 'token.revoked', 'page.signed_in', 'page.signed_out'],
  ...['topic.added', 'entry.added', 'decision.added', 'memory.index_rebuilt'],
  ...[
    'phase.started',
    'phase.ended',
    'phase.turned',
    'phase.prompt_adopted',
    'phase.checkpoint_saved',
    'prompt.edited',
  ],
  ...['tab.prepared'],
  ...['message.queued', 'message.delivered', 'message.undeliverable'],
  ...['check.added', 'check.removed', 'check.trusted', 'overlap.found', 'overlap.gone'],
  ...['worktree.created', 'worktree.removed', 'worktree.restored', 'worktree.purged'],
  ...['worktree.setup_ended', 'worktree.setup_trusted'],
]

export function applier(queries: QueryClient): (events: readonly StoredEvent[]) => void {
  const context = { queries, refetch: refetcher(queries) }
  return events => {
    hearAll(events, context)
    for (const event of events) for (const table of TABLES) table[event.type]?.(event, context)
  }
}
