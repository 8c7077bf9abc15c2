import { z } from 'zod'
import { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { MOST_DEPENDENCIES } from '#contract/order.ts'
import { Label, LABELS_MAX, Priority } from '#contract/projects.ts'
import { TaskView } from '#contract/views.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import type { Plans } from '../plans.ts'
import { newTask, taskView } from '../views.ts'

/** Done is what its agent reports and others accept. */
const PlannedStatus = z.enum(['backlog', 'todo', 'in_progress'])

export default tool({
  name: 'create_task',
  toolset: 'planning',
  title: 'Add a task',
  description:
    'Add a task to the plan; an open one of the same title in the same place is answered instead of a second.',
  effect: 'write',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    title: z.string().trim().min(1).max(500).describe('What is to be done, in one line'),
    description: z.string().max(100_000).optional().describe('All that its agent needs to know (default: empty)'),
    parent: TaskId.optional().describe('Task (tsk_…) that it is a part of; that one is done after it (default: none)'),
    depends_on: z
      .array(TaskId)
      .max(MOST_DEPENDENCIES)
      .optional()
      .describe('Tasks that must be accepted before this one is started (default: none)'),
    assignee_id: AgentId.optional().describe('Agent (agt_…) of the project that is to do it (default: none yet)'),
    priority: Priority.optional().describe('How urgent it is (default: medium)'),
    labels: z.array(Label).max(LABELS_MAX).optional().describe('Words to find it by (default: none)'),
    status: PlannedStatus.optional().describe(
      'in_progress lets its agent be started as soon as nothing is missing (default: todo, which waits)',
    ),
    project_id: ProjectId.optional().describe('Project (prj_…; default: that of the parent, else yours)'),
  }),
  output: z.object({ ...success, created: z.boolean(), task: TaskView }),
  async run({ plans }: { plans: Plans }, input, call) {
    const fresh = {
      ...newTask(input),
      projectId: input.project_id,
      parentId: input.parent,
      dependsOn: input.depends_on,
    }
    const { task, created } = await plans.create(fresh, call.caller)
    return { ...SUCCESS, created, task: taskView(task, call.lang) }
  },
})
