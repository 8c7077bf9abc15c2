import { z } from 'zod'
import { TaskId } from '#contract/id-types.ts'
import { TaskView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Tasks } from '../tasks.ts'
import { taskView } from '../views.ts'

export default tool({
  name: 'get_task',
  toolset: 'projects',
  title: 'Get a task',
  description: 'Get a task with its description, status and assignee.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object({ task_id: TaskId }),
  output: z.object({ ...success, task: TaskView }),
  async run({ tasks }: { tasks: Tasks }, input, call) {
    return { ...SUCCESS, task: taskView(await tasks.get(input.task_id, call.caller), call.lang) }
  },
})
