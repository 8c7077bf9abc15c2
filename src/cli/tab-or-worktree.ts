// A word that means a tab, or a branch whose tab is long gone while its worktree is still there.
import { HubError } from '#contract/errors.ts'
import type { Connection } from './connect.ts'
import type { Context } from './context.ts'
import { worktreeId } from './find-worktree.ts'
import { projectHere } from './project-here.ts'

type Ways<T> = {
  readonly ofTab: (hub: Connection, tab_id: string) => Promise<T>
  readonly ofWorktree: (hub: Connection, worktree_id: string) => Promise<T>
}

/** With a project named, and for a worktree's own id, only worktrees are looked at. */
export async function ofTabOrWorktree<T>(
  cx: Context,
  project: string | undefined,
  word: string,
  { ofTab, ofWorktree }: Ways<T>,
): Promise<T> {
  const hub = await cx.connect()
  const here = await projectHere(cx, hub, undefined)
  const found = async () => ofWorktree(hub, await worktreeId(hub, word, { project, here, trashed: false }))
  if (project !== undefined || word.startsWith('wt_')) return found()
  try {
    return await ofTab(hub, word)
  } catch (problem) {
    const isHere = here !== undefined && problem instanceof HubError && problem.code === 'USAGE'
    if (!isHere && !(problem instanceof HubError && problem.code === 'TAB_NOT_FOUND')) throw problem
    return found()
  }
}
