import { z } from 'zod'
import { AgentId, TaskId } from '#contract/id-types.ts'
import { Priority } from '#contract/projects.ts'
import { TaskView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Passes } from '../passes.ts'
import type { Plans } from '../plans.ts'
import { taskView } from '../views.ts'

type Needs = { plans: Plans; passes: Passes }

export default tool({
  name: 'update_task',
  toolset: 'planning',
  title: 'Change a task',
  description: 'Change a task of the plan that no other agent is working on. What is left out stays as it is.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    task_id: TaskId,
    title: z.string().trim().min(1).max(500).optional().describe('The new title'),
    description: z.string().max(100_000).optional().describe('The new description, whole'),
    assignee_id: AgentId.nullish().describe('Agent (agt_…) of the project that is to do it, or null for none'),
    priority: Priority.optional().describe('How urgent it is'),
    status: z
      .enum(['backlog', 'todo', 'in_progress', 'cancelled'])
      .optional()
      .describe('in_progress lets its agent be started; cancelled is for tasks that you added'),
  }),
  output: z.object({ ...success, task: TaskView }),
  prepare: async ({ passes }: Needs, { task_id, assignee_id }, call) =>
    assignee_id === undefined ? null : passes.treeOf(task_id, call.caller),
  async run({ plans }: Needs, { task_id: id, assignee_id: assigneeId, ...changes }, call) {
    const { caller, lang, prepared } = call
    return { ...SUCCESS, task: taskView(await plans.update(id, { ...changes, assigneeId }, caller, prepared), lang) }
  },
})
