import { CoreError } from '#contract/errors.ts'
import { isUnreadable, WorktreeError } from '#contract/worktrees.ts'
import { GitError } from '#kernel/git/git-error.ts'

/** What git could not do, as something that the caller can act on. */
export async function inOurWords<T>(directory: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const { problem: fault, message: said } = error
    if (fault === 'not-a-repository') throw WorktreeError.NOT_A_REPOSITORY({ directory }, error)
    if (fault === 'cancelled') throw CoreError.INVALID_ARGUMENT({ reason: CANCELLED }, error)
    if (isUnreadable(fault)) {
      const path = error.path ?? directory
      throw WorktreeError.REPOSITORY_UNREADABLE({ path, fault, ...(fault !== 'foreign' && { said }) }, error)
    }
    throw WorktreeError.GIT_FAILED({ fault, ...(fault === 'failed' && { said }) }, error)
  }
}

const CANCELLED = { en: 'The call was cancelled.', ja: '呼び出しは取り消されました。' }
