import type { TabDetail } from '#contract/tabs.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { Lang } from '#contract/errors.ts'
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
}

/** All that is known of a tab. */
export async function detailOf(
  { tabs, messages, worktrees, tasks }: DetailServices,
  tab: Tab,
  lang: Lang,
): Promise<TabDetail> {
  const [status, queued, promptProblem, worktree, task] = await Promise.all([
    tabs.status(tab),
    messages.countQueued(tab.id),
    messages.promptProblem(tab.id),
    tab.worktreeId === null ? undefined : worktrees.get(tab.worktreeId),
    tab.taskId === null ? undefined : tasks.find(tab.taskId),
  ])
  return tabDetail(tab, { status, queued, promptProblem, worktree, lang, task: task?.handle ?? null })
}
