// Where a branch begins and what it is compared with.
import { WorktreeError } from '#contract/worktrees.ts'
import type { Git } from '#kernel/git/git.ts'
import { branchProblem } from '#kernel/git/names.ts'
import {
  commitOf,
  emptyTree,
  mergeBase,
  plainBranches,
  readHead,
  refBehind,
  remoteBranches,
  type Repository,
  resolveRevision,
} from '#kernel/git/repository.ts'
import type { NewWorktree } from '#kernel/git/worktrees.ts'

export type Start = {
  point: NewWorktree['start']
  /** Undefined before the first commit. */
  commit: string | undefined
  baseRef: string | null
  baseCommit: string
}

/** A branch that is here, else the remote one of that name, else a new one from the base, else from what is checked out. */
export async function startOf(
  git: Git,
  repository: Repository,
  { branch, base }: { branch: string; base?: string | undefined },
): Promise<Start> {
  const { given, here } = await asked(git, repository, `refs/heads/${branch}`, base)
  if (base !== undefined && !given) throw WorktreeError.BASE_NOT_FOUND({ base })
  if (here !== undefined) {
    const compared = given ?? (await usualBase(git, repository, branch, here))
    const point = { existing: here }
    if (!compared) return { point, commit: here, baseRef: null, baseCommit: here }
    const baseCommit = (await mergeBase(git, repository, compared.commit, here)) ?? compared.commit
    return { point, commit: here, baseRef: compared.ref ?? null, baseCommit }
  }
  if (given) {
    const track = given.ref?.startsWith('refs/remotes/') && given.ref.split('/').slice(3).join('/') === branch
    const point = { from: given.commit, ...(track && given.ref !== undefined && { track: given.ref }) }
    return { point, commit: given.commit, baseRef: given.ref ?? null, baseCommit: given.commit }
  }
  return (await fromRemote(git, repository, branch)) ?? fromHead(git, repository)
}

/** The base and the branch, in one question where the base is named as a branch. */
async function asked(
  git: Git,
  repository: Repository,
  branch: string,
  base: string | undefined,
): Promise<{ given: { commit: string; ref: string | undefined } | undefined; here: string | undefined }> {
  const isBranch = base?.startsWith('refs/heads/') && branchProblem(base.slice(11)) === undefined
  const found = base !== undefined && isBranch ? await plainBranches(git, repository, [branch, base]) : undefined
  const commit = base === undefined ? undefined : found?.get(base)
  if (commit !== undefined) return { given: { commit, ref: base }, here: found?.get(branch) }
  const given = base === undefined ? undefined : await resolveRevision(git, repository, base)
  return { given, here: await commitOf(git, repository, branch) }
}

async function fromRemote(git: Git, repository: Repository, branch: string): Promise<Start | undefined> {
  const found = await remoteBranches(git, repository, branch)
  const ref = found.length > 1 ? found.find(name => name.startsWith('refs/remotes/origin/')) : found[0]
  const commit = ref === undefined ? undefined : await commitOf(git, repository, ref)
  if (ref === undefined || commit === undefined) return undefined
  const compared = await usualBase(git, repository, branch, commit)
  const baseCommit = compared && ((await mergeBase(git, repository, compared.commit, commit)) ?? compared.commit)
  return {
    point: { from: commit, track: ref },
    commit,
    baseRef: compared?.ref ?? null,
    baseCommit: baseCommit ?? commit,
  }
}

async function fromHead(git: Git, repository: Repository): Promise<Start> {
  const gitDir = repository.checkout?.gitDir ?? repository.commonDir
  const head = await readHead(git, { gitDir, commonDir: repository.commonDir })
  const baseRef = head.branch === undefined ? null : `refs/heads/${head.branch}`
  if (head.commit === undefined)
    return { point: 'unborn', commit: undefined, baseRef: null, baseCommit: emptyTree(repository.objectFormat) }
  return { point: { from: head.commit }, commit: head.commit, baseRef, baseCommit: head.commit }
}

/** What the branch would be merged into: the remote's main line, what the project has checked out, main or master. */
async function usualBase(
  git: Git,
  repository: Repository,
  branch: string,
  commit: string,
): Promise<{ ref: string; commit: string } | undefined> {
  const gitDir = repository.checkout?.gitDir ?? repository.commonDir
  const checkedOut = (await readHead(git, { gitDir, commonDir: repository.commonDir }).catch(() => undefined))?.branch
  const candidates = [
    await refBehind(git, repository, 'refs/remotes/origin/HEAD'),
    checkedOut === undefined ? undefined : `refs/heads/${checkedOut}`,
    'refs/heads/main',
    'refs/heads/master',
  ]
  for (const ref of candidates) {
    if (ref === undefined || ref === `refs/heads/${branch}`) continue
    const found = await commitOf(git, repository, ref)
    if (found !== undefined && (await mergeBase(git, repository, found, commit)) !== undefined)
      return { ref, commit: found }
  }
  return undefined
}
