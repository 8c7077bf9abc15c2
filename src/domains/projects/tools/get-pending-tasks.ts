import { z } from 'zod'
import { iso } from '#kernel/clock.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Work } from '../work.ts'

export default tool({
  name: 'get_pending_tasks',
  toolset: 'legacy',
  title: 'Get pending tasks (deprecated)',
  description: 'List your tasks that are to do or in progress. Deprecated: use get_my_task.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'starter'],
  input: z.object({ session_token: z.string().describe('session_token from authenticate'), ...pageInput(200) }),
  output: z.object({
    ...success,
    tasks: z.array(
      z.object({
        taskId: z.string(),
        projectId: z.string(),
        title: z.string(),
        description: z.string(),
        priority: z.string(),
        workingDirectory: z.string().nullable(),
        assignedAt: z.string().nullable(),
      }),
    ),
    ...pageOutput,
  }),
  async run({ work }: { work: Work }, input, call) {
    const limit = limitOf(input.limit, 200)
    const skip = readCursor(input.cursor, z.int().min(0)) ?? 0
    const { tasks, directory } = await work.pending(input.session_token, skip, limit + 1, call.caller)
    const view = (task: (typeof tasks)[number]) => ({
      taskId: task.id,
      projectId: task.projectId,
      title: task.title,
      description: task.description,
      priority: task.priority,
      workingDirectory: directory,
      assignedAt: task.assignedAt === null ? null : iso(task.assignedAt),
    })
    const { items, ...page } = pageOf(tasks, limit, view, last => skip + tasks.indexOf(last) + 1)
    return { ...SUCCESS, tasks: items, ...page }
  },
})
