// The merge queue, over projects, tasks and worktrees.
import { moved, stageOf } from '#domains/projects/model.ts'
import { Merges } from '#domains/thread/merges.ts'
import type { MergeTasks, MergeWorkspaces } from '#domains/thread/merge-ports.ts'
import type { Over, Services } from '../services.ts'

export type MergeServices = { merges: Merges }

type Needs = Pick<Services, 'projects' | 'tasks'>

export function mergeServices({ db, kernel }: Over, needs: Needs): MergeServices {
  const { events, clock, ids, worktrees } = kernel
  return {
    merges: new Merges({ db, events, clock, ids, tasks: mergedTasks(needs), workspaces: repositoriesOf(worktrees) }),
  }
}

export function mergedTasks({ projects, tasks }: Needs): MergeTasks {
  return {
    get: async (id, by) => {
      const task = await tasks.get(id, by)
      const { merge: method, directory } = await projects.get(task.projectId)
      const { projectId, handle, title, facts, assigneeId } = task
      const accepted = facts.acceptedAt !== null
      return { id, projectId, handle, title, stage: stageOf(task), assigneeId, accepted, method, directory }
    },
    queued: async (id, queuedAt, by) => void (await tasks.record(id, { queuedAt }, by)),
    merged: async (id, mergedAt, by) => void (await tasks.record(id, { mergedAt }, by)),
    returned: async (id, by) => {
      const task = await tasks.get(id, by)
      if (task.status === 'done') await tasks.move(id, 'in_progress', by)
    },
    blocked: async (id, reason, by) =>
      void (await tasks.change(id, (task, now) => moved(task, 'blocked', now, reason), by)),
  }
}

export function repositoriesOf(worktrees: Services['worktrees']): Pick<MergeWorkspaces, 'repositoryOf'> {
  return {
    repositoryOf: async id => {
      const { repository, home } = await worktrees.get(id)
      return { repository, home, here: await worktrees.isHere(home) }
    },
  }
}
