// Everything that runs, in one form: agents on tasks, runs of crews, and tabs.
import { z } from 'zod'
import { CREW_MODES } from './crews.ts'
import { TaskRef } from './order.ts'
import { ReportResult } from './projects.ts'
import { AgentId, CrewId, ProjectId, TaskId } from './id-types.ts'
import { Usage } from './usage.ts'

const WORK_KINDS = ['task', 'crew', 'tab'] as const

export const WorkView = z.object({
  work_id: z.string().describe('exec_… of a task, run_… of a crew, tab_…'),
  kind: z.enum(WORK_KINDS),
  name: z.string().describe("Who works: the agent's name, the role, the tab's branch"),
  agent_id: AgentId.nullable(),
  crew_id: CrewId.nullable(),
  engine: z.string().nullable(),
  project_id: ProjectId.nullable(),
  project_name: z.string().nullable(),
  task_id: TaskId.nullable(),
  handle: z.string().nullable(),
  title: z.string().nullable().describe("The task's title, or the beginning of what the run was asked"),
  status: z.string().describe('queued, running, waiting …; of one that has ended, how'),
  created_at: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  last_action: z
    .string()
    .nullable()
    .describe('What it did or said last, in one line; null where that cannot be seen from here'),
  result: ReportResult.nullable().describe('What its agent reported; blocked: it asks something'),
  reason: z.string().nullable().describe('Why it ended, where it did not report success'),
  next: z
    .object({
      what: z.enum(['again', 'paused', 'waits']).describe('What the hub does about its task'),
      at: z.string().nullable(),
      attempt: z.int().nullable().describe('Which attempt the next one is'),
      attempts: z.int().describe('How many there are before a person is asked'),
    })
    .nullable()
    .describe('Of the last run of a task, which did not report'),
  started_by: z.string().describe('As in events: operator, run:…, tab:…, agent:…, runner:…'),
  crew: z
    .object({ crew_id: CrewId, description: z.string(), mode: z.enum(CREW_MODES), stage: z.int().nullable() })
    .nullable(),
  model: z.string().nullable(),
  stop_asked: z.boolean().describe('It was asked to end, and has not ended'),
  tool_calls: z.int().nullable(),
  tokens: Usage.nullable(),
  cost_usd: z.number().nullable(),
})
export type WorkView = z.infer<typeof WorkView>

/** In progress, while its agent works on another one. */
export const WaitingTask = z.object({
  task_id: TaskId,
  handle: z.string(),
  title: z.string(),
  project_id: ProjectId,
  agent_id: AgentId,
  agent_name: z.string(),
  agent_busy_with: TaskRef,
})
export type WaitingTask = z.infer<typeof WaitingTask>
