import type { ProjectId } from '#contract/id-types.ts'
import type { InboxItem } from '#contract/inbox.ts'
import type { Lang } from '#contract/errors.ts'
import type { EventLog } from '#kernel/events.ts'
import { operation } from '#kernel/operation.ts'
import type { Services } from '../services.ts'
import { blockedTasks } from './blocked.ts'
import { failedRuns } from './failed-runs.ts'
import { Names, type Source } from './item.ts'
import { pausedEngines } from './paused-engines.ts'
import { reviews } from './reviews.ts'
import { untrustedFolders } from './untrusted.ts'
import { waitingTabs } from './waiting-tabs.ts'

const SOURCES: readonly Source[] = [blockedTasks, waitingTabs, failedRuns, reviews, untrustedFolders, pausedEngines]

export function inboxOperations(events: EventLog) {
  return [
    operation({
      name: 'inbox.list',
      effect: 'read',
      run: async (services: Services, input, call) => ({
        items: await itemsOf(services, events, input.project_id, call.lang),
      }),
    }),
    operation({
      name: 'inbox.count',
      effect: 'read',
      run: async (services: Services, input, call) => ({
        count: (await itemsOf(services, events, input.project_id, call.lang)).length,
      }),
    }),
    operation({
      name: 'inbox.seen',
      effect: 'write',
      async run({ seen }: Services, input, call) {
        await seen.mark(input.item_id, call.caller)
        return input
      },
    }),
  ]
}

/** The one that waits longest first; those without a moment at the end. */
async function itemsOf(
  services: Services,
  events: EventLog,
  projectId: ProjectId | undefined,
  lang: Lang,
): Promise<InboxItem[]> {
  const facts = { services, events, projectId, lang, names: new Names(services) }
  const items = (await Promise.all(SOURCES.map(source => source(facts)))).flat()
  const seen = await services.seen.among(items.map(({ item_id }) => item_id))
  const since = (item: InboxItem) => item.since ?? '9'
  return items
    .filter(({ item_id }) => !seen.has(item_id))
    .sort((a, b) => (since(a) < since(b) ? -1 : since(a) > since(b) ? 1 : a.item_id < b.item_id ? -1 : 1))
}
