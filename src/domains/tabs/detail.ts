import type { TabDetail } from '#contract/tabs.ts'
import type { Lang } from '#contract/errors.ts'
import type { Messages } from './messages.ts'
import type { Tab } from './model.ts'
import type { Worktrees } from './ports.ts'
import type { Tabs } from './service.ts'
import { tabDetail } from './views.ts'

export type DetailServices = { tabs: Tabs; messages: Messages; worktrees: Worktrees }

/** All that is known of a tab. */
export async function detailOf(
  { tabs, messages, worktrees }: DetailServices,
  tab: Tab,
  lang: Lang,
): Promise<TabDetail> {
  const [status, queued, promptProblem, worktree] = await Promise.all([
    tabs.status(tab),
    messages.countQueued(tab.id),
    messages.promptProblem(tab.id),
    tab.worktreeId === null ? undefined : worktrees.get(tab.worktreeId),
  ])
  return tabDetail(tab, { status, queued, promptProblem, worktree, lang })
}
