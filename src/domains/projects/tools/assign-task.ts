import { z } from 'zod'
import { AgentId, TaskId } from '#contract/id-types.ts'
import { TaskView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Tasks } from '../tasks.ts'
import { taskView } from '../views.ts'

export default tool({
  name: 'assign_task',
  toolset: 'projects',
  title: 'Assign a task',
  description: 'Give a task to an agent of its project, or to no agent with null.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent'],
  input: z.object({
    task_id: TaskId,
    assignee_id: AgentId.nullable().describe('Agent of the project (agt_…), or null for none'),
  }),
  output: z.object({ ...success, task: TaskView }),
  async run({ tasks }: { tasks: Tasks }, input, call) {
    return { ...SUCCESS, task: taskView(await tasks.assign(input.task_id, input.assignee_id, call.caller), call.lang) }
  },
})
