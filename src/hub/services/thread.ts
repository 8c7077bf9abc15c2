// The way of a task's work from its report to a verdict.
import type { TaskId } from '#contract/id-types.ts'
import { ThreadError } from '#contract/thread.ts'
import { Checks } from '#domains/thread/checks.ts'
import type { ThreadFolders, ThreadProjects, ThreadWorktrees } from '#domains/thread/ports.ts'
import { SnapshotStore } from '#domains/thread/snapshot-store.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { Database } from '#kernel/db/db.ts'
import { placeOf } from '#kernel/paths.ts'
import type { Over, Services } from '../services.ts'

export type ThreadServices = { checks: Checks }

export function threadServices({ db, kernel }: Over): ThreadServices {
  const { events, clock } = kernel
  return { checks: new Checks({ db, events, clock }) }
}

/** Over the database itself, for what looks at folders. */
export function threadProjects(services: () => Pick<Services, 'projects'>): ThreadProjects {
  return {
    get: id => services().projects.get(id),
    around: async directory => services().projects.findAround(await placeOf(directory)),
  }
}

export function threadWorktrees(worktrees: Worktrees, projects: ThreadProjects): ThreadWorktrees {
  return {
    home: () => worktrees.home(),
    open: async id => {
      const { worktree, checkout, base } = await worktrees.open(id)
      const { directory } = await projects.get(worktree.projectId)
      const folder = directory === null ? worktree.path : await worktrees.folderIn(worktree, directory)
      return { checkout, base, folder, branch: worktree.branch }
    },
  }
}

export function threadFolders(
  database: Database,
  worktrees: ThreadWorktrees,
  services: () => Pick<Services, 'tasks'>,
): ThreadFolders {
  return {
    ofTask: async (taskId: TaskId) => {
      const workspace = await new SnapshotStore(database).workspace(taskId)
      if (workspace) return (await worktrees.open(workspace.worktreeId)).folder
      throw ThreadError.NO_WORKSPACE({ handle: (await services().tasks.find(taskId))?.handle ?? taskId })
    },
  }
}
