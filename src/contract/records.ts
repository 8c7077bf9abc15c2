// What the API and `--json` answer with where agents' tools have names and casings of their own: one casing, one word per thing.
import { z } from 'zod'
import { CREW_MODES, ReportStatus, RoleView } from './crews.ts'
import { AgentId, CrewId, RunId, TaskId } from './id-types.ts'
import { TabDetail } from './tabs.ts'
import { Usage } from './usage.ts'
import { AgentView } from './views.ts'

const engine = z.string().describe('The agent program: claude, codex, …')

export const AgentRecord = AgentView.omit({ ai_type: true }).extend({ engine })
export type AgentRecord = z.infer<typeof AgentRecord>

export const TabRecord = TabDetail.omit({ agent_type: true }).extend({ engine })
export type TabRecord = z.infer<typeof TabRecord>

/** An agent's work on a task, from its start to its end. */
export const ExecutionRecord = z.object({
  execution_id: RunId,
  task_id: TaskId,
  agent_id: AgentId,
  status: z.enum(['running', 'completed', 'failed', 'error']),
  result: z.string().nullable().describe('What its agent reported: success, failed or blocked'),
  exit_code: z.int().nullable(),
  duration_seconds: z.number().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  reason: z
    .string()
    .nullable()
    .describe('Why it ended without a report, and what to do; null: it reported, or goes on'),
})
export type ExecutionRecord = z.infer<typeof ExecutionRecord>

/** With what it used, as far as its engine reports it. */
export const TaskExecution = ExecutionRecord.extend({
  tool_calls: z.int().nullable(),
  usage: Usage.nullable(),
  cost_usd: z.number().nullable(),
})
export type TaskExecution = z.infer<typeof TaskExecution>

export const ExecutionDetail = TaskExecution.extend({
  summary: z.string().nullable(),
  log_file: z.string().nullable().describe('On the machine of its Runner'),
  engine: engine.nullable(),
  model: z.string().nullable(),
  runner: z.string().nullable().describe('Who started it; null: a person'),
  denied_tools: z.array(z.string()).describe("Tools that the engine's own permissions refused"),
  created_files: z.array(z.string()),
  edited_files: z.array(z.string()),
  deleted_files: z.array(z.string()),
  last_message: z.string().nullable(),
})
export type ExecutionDetail = z.infer<typeof ExecutionDetail>

export const CrewRecord = z.object({
  crew_id: CrewId,
  description: z.string(),
  mode: z.enum(CREW_MODES),
  on_failure: z
    .enum(['stop', 'continue'])
    .nullable()
    .describe('What a plan does when a stage has a failure; null: it is none'),
  status: z.enum(['active', 'deleted']),
  created_at: z.string(),
  run_ids: z.array(RunId),
})
export type CrewRecord = z.infer<typeof CrewRecord>

/** As agents' tools have them, in the casing of everything else. */
export const CrewRunStatus = z.enum(['queued', 'running', 'reported', 'completed', 'failed', 'timed_out', 'cancelled'])
export type CrewRunStatus = z.infer<typeof CrewRunStatus>

export const CrewRunRecord = z.object({
  run_id: RunId,
  crew_id: CrewId,
  role: z.string(),
  engine,
  model: z.string(),
  status: CrewRunStatus,
  prompt: z.string().describe('Its beginning'),
  directory: z.string(),
  stage: z.int().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  end_reason: z.string().nullable(),
  exit_code: z.int().nullable(),
  elapsed_ms: z.int(),
  timeout_ms: z.int().nullable(),
  tool_calls: z.int(),
  created_files: z.array(z.string()),
  edited_files: z.array(z.string()),
  last_message: z.string().nullable(),
  session_id: z.string().nullable().describe("The engine's own id of the conversation"),
  usage: Usage.nullable(),
  cost_usd: z.number().nullable(),
  result: z
    .object({
      status: ReportStatus,
      summary: z.string(),
      error: z.string().nullable(),
      source: z.enum(['report', 'hub']).describe('Who said so: the run itself, or the hub from what it saw'),
      reported_at: z.string(),
    })
    .nullable(),
})
export type CrewRunRecord = z.infer<typeof CrewRunRecord>

export const RoleRecord = RoleView.omit({ healthCheck: true, modelValidation: true }).extend({
  health_check: RoleView.shape.healthCheck.describe('Whether its program runs'),
  model_check: RoleView.shape.modelValidation.describe('Whether its engine has the model'),
})
export type RoleRecord = z.infer<typeof RoleRecord>
