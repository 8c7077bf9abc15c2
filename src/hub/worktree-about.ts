// Who works in a worktree, and which decisions apply to it: worktrees know neither tasks nor memory.
import { operation } from '#kernel/operation.ts'
import type { Services } from './services.ts'

export const worktreeAboutOperations = [
  operation({
    name: 'worktree.about',
    effect: 'read',
    async run(
      { worktrees, workspaces, tabs, tasks, agents, taskDecisions }: Services,
      { worktree_id: id },
      { caller },
    ) {
      const { projectId } = await worktrees.get(id)
      const workspace = (await workspaces.listLive(projectId)).find(({ worktreeId }) => worktreeId === id)
      const tab = (await tabs.listOwn()).find(({ worktreeId }) => worktreeId === id)
      const taskId = workspace?.taskId ?? tab?.taskId ?? null
      const task = taskId === null ? undefined : await tasks.get(taskId, caller)
      const agent = task?.assigneeId ? await agents.find(task.assigneeId) : undefined
      return {
        project_id: projectId,
        task: task
          ? { task_id: task.id, handle: task.handle, title: task.title, agent_name: agent?.name ?? null }
          : null,
        tab: tab ? { tab_id: tab.id, branch: tab.branch } : null,
        decisions: task ? await taskDecisions.ofTask(task.id) : [],
      }
    },
  }),
]
