// The merge queue, over projects, tasks and worktrees.
import type { Text } from '#contract/errors.ts'
import type { TaskId } from '#contract/id-types.ts'
import { moved, redone, stageOf } from '#domains/projects/model.ts'
import { iso } from '#kernel/clock.ts'
import { isLeftByUndo } from '#domains/thread/merge-model.ts'
import { Merges } from '#domains/thread/merges.ts'
import type { MergeTasks, MergeWorkspaces } from '#domains/thread/merge-ports.ts'
import { type Machine, machineOf } from '../machine-of.ts'
import type { Over, Services } from '../services.ts'

export type MergeServices = { merges: Merges }

type Needs = Pick<Services, 'projects' | 'tasks'>

export function mergeServices(
  { db, kernel }: Over,
  needs: Needs,
  later?: () => Pick<Services, 'runs' | 'runners'>,
): MergeServices {
  const { events, clock, ids, worktrees } = kernel
  const mergedBy = later && (async (taskId: TaskId) => mergedThere(await machineOf(later(), taskId)))
  const workspaces = { ...repositoriesOf(worktrees), ...(mergedBy && { mergedBy }) }
  return {
    merges: new Merges({ db, events, clock, ids, tasks: mergedTasks(needs), workspaces, machine: kernel.runner }),
  }
}

/** Only the hub that has the clone merges into it. */
function mergedThere({ name, awaySince }: Machine): Text {
  const away = awaySince === null ? undefined : iso(awaySince)
  const gone = away === undefined ? { en: '', ja: '' } : { en: `, away since ${away}`, ja: ` (${away} から応答なし)` }
  return {
    en: `Waits for ${name === null ? 'the hub that made it' : `the hub on ${name}`}${gone.en}: it merges into its own clone. Until then \`toryo task review --changes\` takes the work back.`,
    ja: `${name === null ? '作成したハブ' : `${name} のハブ`}${gone.ja}を待っています。マージ先はそのマシンのクローンです。それまでは \`toryo task review --changes\` で取り戻せます。`,
  }
}

export function mergedTasks({ projects, tasks }: Needs): MergeTasks {
  return {
    get: async (id, by) => {
      const task = await tasks.get(id, by)
      const { merge: method, directory } = await projects.get(task.projectId)
      const { projectId, handle, title, facts, assigneeId, deletedAt } = task
      const accepted = facts.acceptedAt !== null
      return { id, projectId, handle, title, stage: stageOf(task), assigneeId, deletedAt, accepted, method, directory }
    },
    queued: async (id, queuedAt, by) => void (await tasks.record(id, { queuedAt }, by)),
    merged: async (id, mergedAt, by) => void (await tasks.record(id, { mergedAt }, by)),
    undone: async (id, by) => {
      if ((await tasks.get(id, by)).status === 'done')
        await tasks.change(id, (task, now) => moved(task, task.deletedAt === null ? 'todo' : 'cancelled', now), by)
    },
    redone: async (id, at, by) => {
      if (isLeftByUndo(stageOf(await tasks.get(id, by)))) await tasks.change(id, task => redone(task, at), by)
    },
    returned: async (id, by) => {
      const task = await tasks.get(id, by)
      if (task.status === 'done') await tasks.move(id, 'in_progress', by)
    },
    blocked: async (id, why, by) => void (await tasks.change(id, (task, now) => moved(task, 'blocked', now, why), by)),
  }
}

export function repositoriesOf(
  worktrees: Services['worktrees'],
): Pick<MergeWorkspaces, 'repositoryOf' | 'isOnSeveral'> {
  return {
    isOnSeveral: projectId => worktrees.isOnSeveral(projectId),
    repositoryOf: async id => {
      const { repository, home } = await worktrees.get(id)
      return { repository, home, here: await worktrees.isHere(home) }
    },
  }
}
