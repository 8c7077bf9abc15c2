// Tasks. What goes on between a report and a verdict is in `thread.ts`.
import { z } from 'zod'
import { AgentId, ProjectId, RunId, TaskId } from '../id-types.ts'
import { ToldDecision } from '../memory.ts'
import { MOST_DEPENDENCIES, TaskRef } from '../order.ts'
import { OwnId } from '../own-id.ts'
import { Label, Priority, SEARCH_MAX, Stage, TaskStatus } from '../projects.ts'
import { TaskExecution } from '../records.ts'
import { PRIORITIES } from '../task-values.ts'
import { WorkspaceView } from '../thread.ts'
import { AnswerView, HandoffView, NoteView, TaskCard, TaskView } from '../views.ts'
import { more, operation, page } from './shapes.ts'
import { taskThread } from './thread.ts'

const Title = z.string().trim().min(1).max(500)
const Description = z.string().max(100_000)
const Branch = z.string().trim().min(1).max(200)
const Labels = z.array(Label).max(100)
const Dependencies = z.array(TaskId).max(MOST_DEPENDENCIES, `at most ${MOST_DEPENDENCIES}`)

export const taskApi = {
  'task.add': operation(
    z.object({
      id: OwnId.brand<'TaskId'>().optional(),
      project_id: ProjectId,
      title: Title,
      description: Description.optional(),
      assignee_id: AgentId.nullish(),
      priority: Priority.optional().describe(PRIORITIES.join(', ')),
      status: TaskStatus.optional(),
      labels: Labels.optional(),
      parent_id: TaskId.optional(),
      depends_on: Dependencies.optional(),
    }),
    TaskView,
  ),
  'task.edit': operation(
    z.object({
      task_id: TaskId,
      title: Title.optional(),
      description: Description.optional(),
      priority: Priority.optional(),
      assignee_id: AgentId.nullish(),
      branch: Branch.nullish(),
      add_labels: Labels.optional(),
      remove_labels: Labels.optional(),
    }),
    TaskView,
  ),
  'task.list': operation(
    z.object({
      project_id: ProjectId.optional(),
      status: TaskStatus.optional(),
      stage: Stage.optional(),
      assignee_id: AgentId.optional(),
      label: z.string().trim().min(1).max(40).optional(),
      search: z
        .string()
        .regex(/\S/, 'must not be empty')
        .max(SEARCH_MAX)
        .optional()
        .describe('In title, description, handle or a label'),
      ids: z.array(TaskId).max(200).optional().describe('Only these'),
      deleted: z.literal(true).optional().describe('Deleted tasks, which are not listed otherwise'),
      order: z
        .enum(['created', 'newest', 'updated'])
        .optional()
        .describe('created: the oldest first, the default; updated: changed last first'),
      ...page,
    }),
    z.object({ tasks: z.array(TaskView), ...more }),
  ),
  'task.show': operation(
    z.object({ task_id: TaskId }),
    TaskView.extend({
      notes: z.array(NoteView),
      handoff: HandoffView.nullable(),
      executions: z.array(TaskExecution),
      failure: z
        .object({
          execution_id: RunId,
          kind: z.string(),
          reason: z.string().describe('What happened, why, and what to do'),
          next: z.enum(['again', 'paused', 'waits']).describe('What the hub does about it'),
          next_at: z.string().nullable(),
        })
        .nullable()
        .describe('How its last run failed; null when it did not'),
      answers: z.array(AnswerView).describe('What people said to it while it was blocked, newest first'),
      not_started: z.string().nullable().describe('Why no Runner starts an agent for it, though one could'),
      agent_busy_with: TaskRef.nullable().describe('What its agent works on instead'),
      ...taskThread,
      workspace: WorkspaceView.nullable().describe('Where it is worked on; null: it has not been started in one'),
      waits_for: z.array(TaskRef).describe('Tasks that it depends on and that are not accepted yet'),
      parent: TaskRef.nullable().describe('The task that it is a part of'),
      children: z.array(TaskRef).describe('Its sub-tasks'),
      decisions: z.array(ToldDecision).describe('Decisions that name it, or that its reports cite'),
    }),
  ),
  'task.cards': operation(
    z.object({
      project_id: ProjectId.optional(),
      ids: z.array(TaskId).max(1000).optional().describe('Only these'),
      closed_since: z.iso.datetime().optional().describe('Leaves out what was closed before'),
      cursor: z.string().optional(),
    }),
    z.object({
      cards: z.array(TaskCard).describe('First the open ones, then those that are closed, newest first'),
      has_all_open: z.boolean().describe('With this page all open ones were sent: what follows is closed'),
      ...more,
    }),
  ),
  /** What a person says to a task that is blocked, and back to work with it. */
  'task.answer': operation(
    z.object({
      task_id: TaskId,
      answer: z.string().trim().min(1).max(100_000),
      status: z.enum(['todo', 'in_progress']).optional().describe('Default: in_progress when it has an assignee'),
    }),
    TaskView,
  ),
  'task.move': operation(
    z.object({
      task_id: TaskId,
      status: TaskStatus,
      reason: z.string().trim().min(1).max(10_000).optional().describe('Why; of a blocked task, what it waits for'),
      force: z.boolean().optional().describe('Done even while sub-tasks are open'),
    }),
    TaskView,
  ),
  /** Hidden, cancelled unless it is finished, and gone after 30 days. */
  'task.delete': operation(z.object({ task_id: TaskId }), TaskView),
  'task.restore': operation(z.object({ task_id: TaskId }), TaskView),
  'task.order': operation(
    z.object({
      task_id: TaskId,
      behind: TaskId.nullable().describe(
        'The task of the same status that it comes directly behind; null: to the front',
      ),
    }),
    z.object({ task_id: TaskId, rank: z.number() }),
  ),
  'task.link': operation(
    z.object({ task_id: TaskId, depends_on: Dependencies.optional(), parent_id: TaskId.optional() }),
    TaskView,
  ),
  'task.unlink': operation(
    z.object({
      task_id: TaskId,
      depends_on: Dependencies.optional(),
      parent: z.boolean().optional().describe('Make it a task of its own'),
    }),
    TaskView,
  ),
  'task.tree': operation(
    z.object({ task_id: TaskId.optional(), project_id: ProjectId.optional(), all: z.boolean().optional() }),
    z.object({
      tasks: z
        .array(TaskView.extend({ level: z.int(), waits_for: z.array(TaskRef) }))
        .describe('Each before its sub-tasks'),
      truncated: z.boolean().optional(),
    }),
  ),
  'task.assign': operation(z.object({ task_id: TaskId, agent_id: AgentId.nullable() }), TaskView),
}
