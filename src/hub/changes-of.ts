import type { Snapshot } from '#domains/thread/model.ts'
import type { Git } from '#kernel/git/git.ts'
import { treeChanges, treeDiff } from '#kernel/git/merge.ts'
import type { Services } from './services.ts'

const NO_CHANGES = { files: [], truncated: false, diff: '' }

/** From the commit itself, so that it is what was checked, whatever lies in the folder now. */
export async function changesOf(
  git: Git,
  worktrees: Pick<Services['worktrees'], 'get' | 'home'>,
  snapshot: Snapshot,
  diffBytes: number,
) {
  if (snapshot.commit === null || snapshot.baseCommit === null || snapshot.worktreeId === null) return NO_CHANGES
  const { repository, objectFormat, home } = await worktrees.get(snapshot.worktreeId)
  if (home !== (await worktrees.home())) return NO_CHANGES
  const store = { commonDir: repository, objectFormat }
  const { files, truncated } = await treeChanges(git, store, snapshot.baseCommit, snapshot.commit)
  const patch = await treeDiff(git, store, snapshot.baseCommit, snapshot.commit, diffBytes)
  return { files, diff: patch.diff, truncated: truncated || patch.truncated }
}
