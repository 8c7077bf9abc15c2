import type { InboxItem } from '#contract/inbox.ts'
import type { EventLog } from '#kernel/events.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { placeInGuide } from '#demo/order.ts'
import { asRun, type CalledAs } from '../own-program.ts'
import type { Services } from '../services.ts'
import { blockedTasks } from './blocked.ts'
import { endedCrews } from './ended-crews.ts'
import { endedPhases } from './ended-phases.ts'
import { failedMessages } from './failed-messages.ts'
import { failedRuns } from './failed-runs.ts'
import { diskLow } from './disk-low.ts'
import { noAgent } from './no-agent.ts'
import { noRunner } from './no-runner.ts'
import { openHandoffs } from './handoffs.ts'
import { type Facts, Names, type Source } from './item.ts'
import { hotOverlaps } from './overlaps.ts'
import { pausedEngines } from './paused-engines.ts'
import { replacedDecisions } from './replaced-decisions.ts'
import { reviews } from './reviews.ts'
import { undoFailed } from './undo-failed.ts'
import { unseenCommands } from './unseen-commands.ts'
import { unstartable } from './unstartable.ts'
import { untrustedFolders } from './untrusted.ts'
import { waitingTabs } from './waiting-tabs.ts'

const SOURCES: readonly Source[] = [
  ...[blockedTasks, waitingTabs, failedRuns, reviews, undoFailed, untrustedFolders, unseenCommands, pausedEngines],
  ...[noRunner, diskLow, unstartable, noAgent, openHandoffs, failedMessages, hotOverlaps],
  ...[replacedDecisions, endedCrews, endedPhases],
]

type Deps = {
  events: EventLog
  /** Where the hub writes. */
  folder: string
  /** Of a demo: its commands name its database, and its list follows its guide. */
  demo?: CalledAs | undefined
}

export function inboxOperations({ demo, ...deps }: Deps) {
  return [
    operation({
      name: 'inbox.list',
      effect: 'read',
      async run(services: Services, input, call) {
        const found = await itemsOf({ ...deps, services, projectId: input.project_id, lang: call.lang })
        return demo ? { ...found, items: guided(found.items, demo) } : found
      },
    }),
    operation({
      name: 'inbox.count',
      effect: 'read',
      run: async (services: Services, input, call) => ({
        count: (await itemsOf({ ...deps, services, projectId: input.project_id, lang: call.lang })).items.length,
      }),
    }),
    operation({
      name: 'inbox.snooze',
      effect: 'write',
      async run({ seen }: Services, { item_id, until }, call) {
        await seen.snooze(item_id, Date.parse(until), call.caller)
        return { item_id, until: iso(Date.parse(until)) }
      },
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

function guided(items: readonly InboxItem[], demo: CalledAs): InboxItem[] {
  return items
    .map(item => ({ ...item, command: item.command === null ? null : asRun(item.command, demo) }))
    .sort((a, b) => placeInGuide(a) - placeInGuide(b))
}

/** The one that waits longest first; those without a moment at the end. */
async function itemsOf(about: Omit<Facts, 'names'>): Promise<{ items: InboxItem[]; next_at: string | null }> {
  const { services } = about
  const facts = { ...about, names: new Names(services) }
  const all = (await Promise.all(SOURCES.map(source => source(facts)))).flat()
  const since = ({ since: at }: InboxItem) => (at === null ? null : Date.parse(at))
  const { ids, nextAt } = await services.seen.away(all.map(item => ({ id: item.item_id, since: since(item) })))
  const order = (item: InboxItem) => item.since ?? '9'
  const items = all
    .filter(({ item_id }) => !ids.has(item_id))
    .sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : a.item_id < b.item_id ? -1 : 1))
  return { items, next_at: nextAt === undefined ? null : iso(nextAt) }
}
