// In which order a demo lists what waits for its person: as its guide has it, failures last.
import type { InboxItem } from '#contract/inbox.ts'
import { TASKS } from './scene.ts'

export function placeInGuide({ kind, item_id }: Pick<InboxItem, 'kind' | 'item_id'>): number {
  if (kind === 'tab_waits') return 0
  if (item_id === `review:${TASKS.prices}`) return 1
  if (kind === 'review') return 2
  return kind === 'run_failed' || kind === 'blocked' ? 4 : 3
}
