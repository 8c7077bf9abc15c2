import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { TaskView } from '#contract/views.ts'
import { TaskStatus } from '#contract/projects.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Tasks } from '../tasks.ts'
import { taskView } from '../views.ts'

export default tool({
  name: 'update_task_status',
  toolset: 'projects',
  title: 'Move a task',
  description: 'Change the status of a task. An assigned task that is in_progress gets its agent started.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent'],
  input: z.object({ task_id: TaskId, status: TaskStatus.describe('The new status') }),
  output: z.object({ ...success, task: TaskView }),
  async run({ tasks }: { tasks: Tasks }, input, call) {
    return { ...SUCCESS, task: taskView(await tasks.move(input.task_id, input.status, call.caller), call.lang) }
  },
})
