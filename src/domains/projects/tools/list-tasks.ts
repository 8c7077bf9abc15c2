import { z } from 'zod'
import { TaskView } from '#contract/views.ts'
import { confinedTo } from '#contract/access.ts'
import { CoreError } from '#contract/errors.ts'
import { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { TaskStatus } from '#contract/projects.ts'
import { limitOf, pageInput, pageOf, pageOutput, readCursor } from '#kernel/page.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Task } from '../model.ts'
import { cursorOf } from '../task-store.ts'
import type { Tasks } from '../tasks.ts'
import { taskView } from '../views.ts'

const Cursor = z.object({ at: z.int(), id: TaskId })
const NEEDS_SCOPE = {
  en: 'Name a project_id or an assignee_id.',
  ja: 'project_id か assignee_id を指定してください。',
}

export default tool({
  name: 'list_tasks',
  toolset: 'projects',
  title: 'List tasks',
  description: 'List tasks of a project or of an assignee, oldest first.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    project_id: ProjectId.optional().describe('Project (prj_…); give this or assignee_id'),
    status: TaskStatus.optional().describe('Only tasks with this status (default: any)'),
    assignee_id: AgentId.optional().describe('Only tasks of this agent (agt_…; default: of any)'),
    ...pageInput(),
  }),
  output: z.object({ ...success, tasks: z.array(TaskView), ...pageOutput }),
  async run({ tasks }: { tasks: Tasks }, input, call) {
    if (input.project_id === undefined && input.assignee_id === undefined && confinedTo(call.caller) === undefined)
      throw CoreError.INVALID_ARGUMENT({ reason: NEEDS_SCOPE })
    const limit = limitOf(input.limit)
    const filter = { projectId: input.project_id, status: input.status, assigneeId: input.assignee_id }
    const rows = await tasks.list(filter, readCursor(input.cursor, Cursor), limit + 1, call.caller)
    const view = (task: Task) => taskView(task, call.lang)
    const { items, ...page } = pageOf(rows, limit, view, task => cursorOf(task, undefined))
    return { ...SUCCESS, tasks: items, ...page }
  },
})
