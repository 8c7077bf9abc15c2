import { z } from 'zod'
import { AgentId, TaskId } from '#contract/id-types.ts'
import { TaskView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Passes } from '../passes.ts'
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
  prepare: ({ passes }: { passes: Passes }, input, call) => passes.treeOf(input.task_id, call.caller),
  async run({ passes }: { passes: Passes }, { task_id, assignee_id }, { caller, lang, prepared }) {
    return { ...SUCCESS, task: taskView(await passes.assign(task_id, assignee_id, caller, prepared), lang) }
  },
})
