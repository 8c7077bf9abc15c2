import type { Lang } from '#contract/errors.ts'
import { setupText } from '#contract/why-text.ts'
import type { WorktreeView } from '#contract/worktrees.ts'
import { iso } from '#kernel/clock.ts'
import type { Worktree } from './model.ts'

/** `files`: where those of a removed one are; `log`: where its setup wrote. */
export function worktreeView(worktree: Worktree, files: string, log: string, lang: Lang): WorktreeView {
  const { setup, trashedAt, purgeAt } = worktree
  const ran = setup.state === 'running' || setup.state === 'succeeded' || setup.state === 'failed'
  return {
    worktree_id: worktree.id,
    project_id: worktree.projectId,
    path: worktree.path,
    branch: worktree.branch,
    base: worktree.baseRef?.replace(/^refs\/(?:heads|remotes|tags)\//, '') ?? worktree.baseCommit,
    own: worktree.own,
    state: worktree.state,
    setup: setup.state,
    setup_command: setup.command,
    setup_error: setup.error && setupText(setup.error)[lang],
    setup_log: ran ? log : null,
    lfs_missing: worktree.lfsMissing,
    drivers: worktree.drivers,
    copied: worktree.copied,
    created_at: iso(worktree.createdAt),
    trashed_at: trashedAt === null ? null : iso(trashedAt),
    purge_at: purgeAt === null ? null : iso(purgeAt),
    trash: worktree.state === 'trashed' ? files : null,
  }
}
