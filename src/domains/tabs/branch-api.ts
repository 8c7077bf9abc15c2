import { WorktreeError } from '#contract/worktrees.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import type { Repositories } from './ports.ts'
import type { WorktreeProjects } from './worktrees/ports.ts'

/** More are not chosen from a list. */
const MOST = 500

export function branchOperations(repositories: Pick<Repositories, 'branches' | 'headOf'>, projects: WorktreeProjects) {
  return [
    operation({
      name: 'branch.list',
      effect: 'read',
      async run(_services: unknown, input, call) {
        const { directory } = await projects.get(input.project_id)
        if (directory === null) throw WorktreeError.NOT_A_REPOSITORY({ directory })
        const [branches, head] = await Promise.all([
          repositories.branches(directory, MOST + 1, call.signal),
          repositories.headOf(directory),
        ])
        return {
          branches: branches.slice(0, MOST).map(({ name, committedAt, isCheckedOut }) => ({
            name,
            committed_at: iso(committedAt),
            checked_out: isCheckedOut,
          })),
          current: head.branch ?? null,
          truncated: branches.length > MOST,
        }
      },
    }),
  ]
}
