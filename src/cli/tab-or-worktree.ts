// A word that means a tab, or a branch whose tab is long gone while its worktree is still there.
import { HubError } from '#contract/errors.ts'
import type { Connection } from './connect.ts'
import { worktreeId } from './find-worktree.ts'

type Ways<T> = {
  readonly project: string | undefined
  /** The project of this folder. */
  readonly here: string | undefined
  readonly ofTab: (tab_id: string) => Promise<T>
  readonly ofWorktree: (worktree_id: string) => Promise<T>
}

/** With a project named, and for a worktree's own id, only worktrees are looked at. */
export async function ofTabOrWorktree<T>(hub: Connection, word: string, ways: Ways<T>): Promise<T> {
  const { project, here, ofTab, ofWorktree } = ways
  const found = async () => ofWorktree(await worktreeId(hub, word, { project, here, trashed: false }))
  if (project !== undefined || word.startsWith('wt_')) return found()
  try {
    return await ofTab(word)
  } catch (problem) {
    const isHere = here !== undefined && problem instanceof HubError && problem.code === 'USAGE'
    if (!isHere && !(problem instanceof HubError && problem.code === 'TAB_NOT_FOUND')) throw problem
    return found()
  }
}
