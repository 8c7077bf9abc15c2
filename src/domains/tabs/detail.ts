import type { TabRecord } from '#contract/records.ts'
import type { TabDetail } from '#contract/tabs.ts'
import type { TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Lang } from '#contract/errors.ts'
import type { OverlapView } from '#contract/thread.ts'
import type { Messages } from './messages.ts'
import type { Tab } from './model.ts'
import type { Worktrees } from './ports.ts'
import type { Tabs } from './service.ts'
import { tabDetail } from './views.ts'

export type DetailServices = {
  tabs: Tabs
  messages: Messages
  worktrees: Worktrees
  tasks: { find(id: TaskId): Promise<{ handle: string } | undefined> }
  overlaps: { of(worktreeId: WorktreeId): Promise<OverlapView[]> }
}

/** All that is known of a tab. */
export async function detailOf(
  { tabs, messages, worktrees, tasks, overlaps }: DetailServices,
  tab: Tab,
  lang: Lang,
): Promise<TabDetail> {
  const [status, queued, promptProblem, worktree, task, overlapping] = await Promise.all([
    tabs.status(tab),
    messages.countQueued(tab.id),
    messages.promptProblem(tab.id),
    tab.worktreeId === null ? undefined : worktrees.get(tab.worktreeId),
    tab.taskId === null ? undefined : tasks.find(tab.taskId),
    tab.worktreeId === null || tab.endedAt !== null ? [] : overlaps.of(tab.worktreeId),
  ])
  const around = { status, queued, promptProblem, worktree, lang, task: task?.handle ?? null }
  return tabDetail(tab, { ...around, overlaps: overlapping })
}

/** As the API answers with it. */
export async function recordOf(services: DetailServices, tab: Tab, lang: Lang): Promise<TabRecord> {
  const { agent_type: engine, ...detail } = await detailOf(services, tab, lang)
  return { ...detail, engine }
}
