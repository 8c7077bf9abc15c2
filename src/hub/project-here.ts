import { projectView } from '#domains/projects/views.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import { operation } from '#kernel/operation.ts'
import { ownersOf } from './places.ts'
import type { Services } from './services.ts'

/** The project of a folder on the hub's machine, also where that lies in a worktree of one. */
export function hereOperations(worktrees: Pick<Worktrees, 'at'>) {
  return [
    operation({
      name: 'project.here',
      effect: 'read',
      async run({ projects }: Services, { directory }) {
        const owner = await ownersOf(projects, worktrees).of(directory)
        return { project: owner ? projectView(await projects.get(owner.id)) : null }
      },
    }),
  ]
}
