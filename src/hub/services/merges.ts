// The merge queue, over projects, tasks and worktrees.
import { Merging } from '#domains/thread/merging.ts'
import { Retiring } from '#domains/thread/retiring.ts'
import { stageOf } from '#domains/projects/model.ts'
import { Merges } from '#domains/thread/merges.ts'
import type { MergeChecks, MergeTasks, MergeWorkspaces } from '#domains/thread/merge-ports.ts'
import type { ComposeOptions } from '../compose.ts'
import type { Parts } from '../parts.ts'
import { type Bind, HUB, type Over, type Services } from '../services.ts'

export type MergeServices = { merges: Merges }

type Needs = Pick<Services, 'projects' | 'tasks'>

export function mergeServices({ db, kernel }: Over, needs: Needs): MergeServices {
  const { events, clock, ids, worktrees } = kernel
  return { merges: new Merges({ db, events, clock, ids, tasks: mergedTasks(needs), workspaces: places(worktrees) }) }
}

function mergedTasks({ projects, tasks }: Needs): MergeTasks {
  return {
    get: async (id, by) => {
      const task = await tasks.get(id, by)
      const { merge: method } = await projects.get(task.projectId)
      const { projectId, handle, title, facts } = task
      return { id, projectId, handle, title, stage: stageOf(task), accepted: facts.acceptedAt !== null, method }
    },
    queued: async (id, queuedAt, by) => void (await tasks.record(id, { queuedAt }, by)),
    merged: async (id, mergedAt, by) => void (await tasks.record(id, { mergedAt }, by)),
    returned: async (id, by) => {
      const task = await tasks.get(id, by)
      if (task.status === 'done') await tasks.move(id, 'in_progress', by)
    },
  }
}

function places(worktrees: Services['worktrees']): Pick<MergeWorkspaces, 'repositoryOf'> {
  return {
    repositoryOf: async id => {
      const { repository, home } = await worktrees.get(id)
      return { repository, here: await worktrees.isHere(home) }
    },
  }
}

/** What drives the queue on this machine. Whoever keeps the thread calls their steps. */
export function mergingOf(
  { database, clock, log, runs }: ComposeOptions,
  { git, worktrees }: Pick<Parts, 'git' | 'worktrees'>,
  bind: Bind,
  others: { checks: MergeChecks; release: MergeWorkspaces['release'] },
): { merging: Merging; retiring: Retiring } {
  const workspaces = { ...places(worktrees), release: others.release }
  const deps = { database, clock, log, git, workspaces, hub: HUB }
  const merges: ConstructorParameters<typeof Merging>[0]['merges'] = db => bind(db).merges
  return {
    merging: new Merging({ ...deps, merges, checks: others.checks, owner: runs.place }),
    retiring: new Retiring(deps),
  }
}
