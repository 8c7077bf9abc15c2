import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { MOST_DEPENDENCIES } from '#contract/order.ts'
import { TaskView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Plans } from '../plans.ts'
import { taskView } from '../views.ts'

export default tool({
  name: 'link_tasks',
  toolset: 'planning',
  title: 'Put tasks in order',
  description: 'Say what a task must wait for, or what it is a part of. Circles are refused.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    task_id: TaskId.describe('The task that waits (tsk_…)'),
    depends_on: z
      .array(TaskId)
      .max(MOST_DEPENDENCIES)
      .optional()
      .describe('Tasks that must be accepted before it is started, added to those it has (default: none)'),
    parent: TaskId.optional().describe(
      'Task (tsk_…) that it is a part of, in place of the one it has (default: no change)',
    ),
    remove: z.boolean().optional().describe('Remove these links instead (default: false)'),
  }),
  output: z.object({ ...success, task: TaskView }),
  async run({ plans }: { plans: Plans }, input, call) {
    const place = { parentId: input.parent, dependsOn: input.depends_on, remove: input.remove ?? false }
    return { ...SUCCESS, task: taskView(await plans.link(input.task_id, place, call.caller), call.lang) }
  },
})
