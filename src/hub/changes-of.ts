import type { Snapshot } from '#domains/thread/model.ts'
import type { Part } from '#kernel/git/changes.ts'
import type { Git } from '#kernel/git/git.ts'
import { countedTreeChanges, type Store, treeChanges, treeDiff } from '#kernel/git/merge.ts'
import type { Services } from './services.ts'

type Worktrees = Pick<Services['worktrees'], 'get' | 'home'>
type Taken = Pick<Snapshot, 'commit' | 'baseCommit' | 'worktreeId'>

const NO_CHANGES = { files: [], truncated: false, diff: '' }

/** From the commit itself, so that it is what was checked, whatever lies in the folder now. `since`: a commit in place of the base. */
export async function changesOf(
  git: Git,
  worktrees: Worktrees,
  snapshot: Taken,
  diffBytes: number,
  { since, isCounted = false }: { since?: string | undefined; isCounted?: boolean } = {},
) {
  const place = await placeOf(worktrees, snapshot)
  if (!place) return NO_CHANGES
  const from = since ?? place.from
  const list = isCounted ? countedTreeChanges : treeChanges
  const { files, truncated } = await list(git, place.store, from, place.to)
  const patch = await treeDiff(git, place.store, from, place.to, diffBytes)
  return { files, diff: patch.diff, truncated: truncated || patch.truncated }
}

/** Every file that it changes, under both names where it has another one now; undefined where that cannot be seen here. */
export async function pathsOf(git: Git, worktrees: Worktrees, snapshot: Taken): Promise<string[] | undefined> {
  const place = await placeOf(worktrees, snapshot)
  if (!place) return undefined
  const { files } = await treeChanges(git, place.store, place.from, place.to)
  return files.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))
}

/** Of one file, which may have had another name. */
export async function diffOf(
  git: Git,
  worktrees: Worktrees,
  snapshot: Taken,
  diffBytes: number,
  { path, context, since }: Part & { path: string; since?: string | undefined },
) {
  const place = await placeOf(worktrees, snapshot)
  if (!place) return { diff: '', truncated: false }
  const from = since ?? place.from
  const { files } = await treeChanges(git, place.store, from, place.to)
  const before = files.find(file => file.path === path)?.from
  const paths = before === undefined ? [path] : [before, path]
  return treeDiff(git, place.store, from, place.to, diffBytes, paths, { context })
}

/** Undefined where nothing was taken, or not on this machine. */
async function placeOf(
  worktrees: Worktrees,
  { commit, baseCommit, worktreeId }: Taken,
): Promise<{ store: Store; from: string; to: string } | undefined> {
  if (commit === null || baseCommit === null || worktreeId === null) return undefined
  const { repository, objectFormat, home } = await worktrees.get(worktreeId)
  if (home !== (await worktrees.home())) return undefined
  return { store: { commonDir: repository, objectFormat }, from: baseCommit, to: commit }
}
