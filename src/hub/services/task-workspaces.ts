import type { Caller } from '#contract/caller.ts'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import { cut } from '#contract/errors.ts'
import { ProjectError } from '#contract/projects.ts'
import type { Task } from '#domains/projects/model.ts'
import { mustBeThere } from '#domains/projects/tasks.ts'
import type { TaskWorkspaces as CrewWorkspaces } from '#domains/runs/ports.ts'
import type { Meanwhile, TaskWorkspaces } from '#domains/tabs/ports.ts'
import { environmentOf } from '#domains/thread/workspaces.ts'
import type { Services } from '../services.ts'

/** A tab gets the text of its task, as far as it fits into a prompt. */
const PROMPT_CHARS = 4000

export type Workplaces = Omit<TaskWorkspaces, 'ensure'> &
  Omit<CrewWorkspaces, 'ensure'> & {
    ensure(
      taskId: TaskId,
      by: Caller,
      meanwhile?: Meanwhile,
    ): Promise<{ id: WorktreeId; projectId: ProjectId; path: string; folder: string; env: Record<string, string> }>
    /** For a program that works there. */
    environment(taskId: TaskId): Promise<Record<string, string>>
  }

/** What tabs and crews ask of the workspaces of tasks. */
export function taskWorkspaces(services: () => Pick<Services, 'tasks' | 'workspaces' | 'bases'>): Workplaces {
  const get = async (taskId: TaskId): Promise<Task> => {
    const task = await services().tasks.find(taskId)
    if (!task) throw ProjectError.TASK_NOT_FOUND({ taskId })
    mustBeThere(task)
    return task
  }
  return {
    async plan(taskId, by) {
      const task = await services().tasks.getThere(taskId, by)
      await services().bases.mustHave(task)
      const branch = await services().workspaces.branchOf(task)
      return { projectId: task.projectId, branch, prompt: promptOf(task) }
    },
    async taskOn(projectId, branch) {
      const live = await services().workspaces.listLive(projectId)
      return live.find(workspace => workspace.branch === branch)?.taskId
    },
    mustBeFree: async taskId => services().workspaces.mustBeFree(await get(taskId)),
    async ensure(taskId, by, meanwhile = {}) {
      const task = await get(taskId)
      await services().bases.mustHave(task)
      const { workspace, path, folder } = await services().workspaces.ensure(task, by, meanwhile)
      const env = environmentOf(task, workspace)
      return { id: workspace.worktreeId, projectId: task.projectId, path, folder, env }
    },
    async environment(taskId) {
      const workspace = await services().workspaces.find(taskId)
      return workspace ? environmentOf(await get(taskId), workspace) : {}
    },
  }
}

function promptOf({ handle, title, description }: Task): string {
  return cut(`${handle}: ${title}${description.trim() === '' ? '' : `\n\n${description}`}`, PROMPT_CHARS)
}
