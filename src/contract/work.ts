// What is at work now, and was lately: runs of crews, executions of tasks, instances and tabs, in one shape.
import { z } from 'zod'
import { AgentId, CrewId, ProjectId, TaskId } from './id-types.ts'
import { CREW_MODES } from './crews.ts'
import { WORK_KINDS, WORK_STATUSES } from './work-values.ts'

export const WorkView = z.object({
  id: z.string().describe('Of the run, execution, instance or tab'),
  kind: z.enum(WORK_KINDS),
  status: z.enum(WORK_STATUSES),
  title: z.string().describe("The role, the agent's name or the branch"),
  started_by: z.string().describe('As in events: operator, run:…, tab:…, agent:…, runner:…'),
  crew_id: CrewId.nullable(),
  stage: z.int().nullable(),
  project_id: ProjectId.nullable(),
  project_name: z.string().nullable(),
  agent_id: AgentId.nullable(),
  task: z.object({ task_id: TaskId, handle: z.string(), title: z.string() }).nullable(),
  engine: z.string().nullable(),
  model: z.string().nullable(),
  created_at: z.string().nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  stop_asked: z.boolean(),
  last_message: z.string().nullable().describe('Its beginning; of one that has ended, its result'),
  tool_calls: z.int().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  cost_usd: z.number().nullable(),
})
export type WorkView = z.infer<typeof WorkView>

/** A crew that some of the work belongs to. */
export const WorkCrew = z.object({
  crew_id: CrewId,
  description: z.string(),
  mode: z.enum(CREW_MODES),
  created_by: z.string(),
  created_at: z.string(),
})
export type WorkCrew = z.infer<typeof WorkCrew>
