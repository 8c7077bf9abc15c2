import { WorktreeError } from '#contract/worktrees.ts'
import { forwardBranch } from '#kernel/git/base.ts'
import { listBranches } from '#kernel/git/branches.ts'
import type { Git } from '#kernel/git/git.ts'
import { GitError } from '#kernel/git/git-error.ts'
import { branchProblem } from '#kernel/git/names.ts'
import { headInFiles } from '#kernel/git/nested.ts'
import { commitOf, openRepository, readHead, resolveRevision } from '#kernel/git/repository.ts'
import { keepCommit } from '#kernel/git/worktrees.ts'
import type { Repositories } from './ports.ts'
import { inOurWords } from './worktrees/git-words.ts'

/** What tabs want to know of repositories before anything is made. */
export function repositories(git: Git): Repositories {
  return {
    async topOf(directory) {
      try {
        return (await openRepository(git, directory)).checkout?.path
      } catch (error) {
        if (error instanceof GitError && (error.problem === 'not-a-repository' || error.problem === 'gone'))
          return undefined
        return inOurWords(directory, () => Promise.reject(error))
      }
    },
    hasBranch: (directory, branch) =>
      inOurWords(directory, async () => {
        if (branchProblem(branch)) return false
        const repository = await openRepository(git, directory)
        return (await commitOf(git, repository, `refs/heads/${branch}`)) !== undefined
      }),
    headOf: directory =>
      inOurWords(directory, async () => {
        const { checkout, commonDir } = await openRepository(git, directory)
        const gitDir = checkout?.gitDir ?? commonDir
        return (await headInFiles(gitDir, commonDir)) ?? readHead(git, { gitDir, commonDir })
      }),
    branchAt: (directory, branch, commit) =>
      inOurWords(directory, async () => {
        const repository = await openRepository(git, directory)
        const ref = `refs/heads/${branch}`
        if ((await commitOf(git, repository, ref)) !== undefined) return false
        await keepCommit(git, repository.commonDir, ref, commit)
        return true
      }),
    contains: (directory, ref, commit) =>
      inOurWords(directory, async () => {
        const { commonDir } = await openRepository(git, directory)
        const args = ['merge-base', '--is-ancestor', '--end-of-options', commit, ref]
        return (await git.run(args, { gitDir: commonDir, codes: [0, 1, 128] })).code === 0
      }),
    branches: (directory, limit, signal) =>
      inOurWords(directory, async () => listBranches(git, await openRepository(git, directory), limit, signal)),
    forward: (directory, branch, ref) =>
      inOurWords(directory, async () => {
        await forwardBranch(git, await openRepository(git, directory), `refs/heads/${branch}`, ref)
      }),
    check: ({ directory, branch, base }) =>
      inOurWords(directory, async () => {
        const repository = await openRepository(git, directory)
        const problem = branchProblem(branch)
        if (problem) throw WorktreeError.INVALID_BRANCH({ branch, problem })
        if (base !== undefined && !(await resolveRevision(git, repository, base)))
          throw WorktreeError.BASE_NOT_FOUND({ base })
      }),
  }
}
