import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { StartFor } from '#domains/identity/ports.ts'
import type { Task } from '#domains/projects/model.ts'
import type { Projects } from '#domains/projects/projects.ts'
import type { Tasks } from '#domains/projects/tasks.ts'
import type { Workspaces } from '#domains/thread/workspaces.ts'

type Needs = {
  projects: Pick<Projects, 'find'>
  tasks: Pick<Tasks, 'listWork'>
  workspaces: Pick<Workspaces, 'holderOf' | 'isHere'>
  /** Whether this hub's Runner refused to start in the workspace of this task, and would again. */
  isRefused: (projectId: ProjectId, taskId: TaskId) => Promise<boolean>
  /** Whether the base here lacks what it waited for. */
  isBehind: (task: Task) => Promise<boolean>
}

/** An agent has a handful of tasks in progress. */
export const LOOKED_AT = 50

/**
 * What an agent is to be started for. Where each task has its workspace, a start is for one of them: the most pressing one whose
 * workspace is this hub's, is trusted and no other agent works in it.
 */
export async function startFor(
  { projects, tasks, workspaces, isRefused, isBehind }: Needs,
  projectId: ProjectId,
  agentId: AgentId,
): Promise<StartFor> {
  const project = await projects.find(projectId)
  const isShared = project?.workspace !== 'task'
  const work = await tasks.listWork(projectId, agentId, ['in_progress'], isShared ? 1 : LOOKED_AT)
  if (work.length === 0) return 'no_work'
  if (isShared) return { taskId: null }
  let reason: StartFor = 'workspace_elsewhere'
  for (const task of work) {
    const { id } = task
    if (!(await workspaces.isHere(id))) continue
    if (await workspaces.holderOf(id, holder => holder.kind === 'agent' && holder.agentId === agentId))
      reason = 'workspace_busy'
    else if (await isRefused(projectId, id)) reason = 'trust_required'
    else if (await isBehind(task)) reason = 'base_behind'
    else return { taskId: id }
  }
  return reason
}
