// The shapes in which people, CLI and models see our things.
import { z } from 'zod'
import { AgentId, HandoffId, InstanceId, PageId, ProjectId, RunId, TaskId } from './id-types.ts'
import { Outcome, PhaseStatus } from './phases.ts'
import { TaskRef } from './order.ts'
import { AcceptPolicy, HandoffStatus, MergeMethod, Priority, Stage, TaskStatus, WorkspaceMode } from './projects.ts'
import { CostSum, TokenSums, Usage } from './usage.ts'

export const AgentView = z.object({
  agent_id: AgentId,
  name: z.string(),
  role: z.string(),
  ai_type: z.string(),
  status: z.enum(['active', 'disabled']),
  created_at: z.string(),
})
export type AgentView = z.infer<typeof AgentView>

export const ProjectView = z.object({
  project_id: ProjectId,
  number: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  working_directory: z.string().nullable(),
  asana_url: z.string().nullable(),
  workspace: WorkspaceMode,
  base: z.string().nullable(),
  accept: AcceptPolicy,
  reviewer_id: AgentId.nullable(),
  merge: MergeMethod,
  status: z.enum(['active', 'archived']),
  created_at: z.string(),
})
export type ProjectView = z.infer<typeof ProjectView>

export const TaskView = z.object({
  task_id: TaskId,
  handle: z.string(),
  project_id: ProjectId,
  title: z.string(),
  description: z.string(),
  status: TaskStatus,
  stage: Stage,
  priority: Priority,
  assignee_id: AgentId.nullable(),
  labels: z.array(z.string()),
  branch: z.string().nullable(),
  blocked_reason: z.string().nullable(),
  parent_id: TaskId.optional().describe('The task that it is a part of'),
  depends_on: z.array(TaskId).optional().describe('Tasks that must be accepted before it is started'),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional().describe('A person deleted it then: it is hidden'),
  gone_at: z.string().optional().describe('Of a deleted task: when it is gone for good'),
})
export type TaskView = z.infer<typeof TaskView>

/** As much of a task as a card on a board shows. */
export const TaskCard = TaskView.pick({
  task_id: true,
  handle: true,
  project_id: true,
  title: true,
  status: true,
  stage: true,
  priority: true,
  assignee_id: true,
  labels: true,
  blocked_reason: true,
  parent_id: true,
  depends_on: true,
  updated_at: true,
}).extend({
  rank: z.number().nullable().describe('Where a person put it in its column; null: by priority and age'),
  waits_for: z.int().describe('How many of the tasks that it depends on are not accepted yet'),
  agent_busy_with: TaskRef.nullable().describe('What its agent works on instead'),
  run: z
    .object({
      execution_id: RunId,
      started_at: z.string(),
      tool_calls: z.int().nullable(),
      usage: Usage.nullable(),
      cost_usd: z.number().nullable(),
      last_message: z.string().nullable(),
    })
    .nullable()
    .describe('What works on it now, with what its engine has told so far; null where it tells nothing'),
})
export type TaskCard = z.infer<typeof TaskCard>

/** What a person said to a task that was blocked. */
export const AnswerView = z.object({ question: z.string().nullable(), answer: z.string(), answered_at: z.string() })
export type AnswerView = z.infer<typeof AnswerView>

export const NoteView = z.object({
  progress: z.string().nullable(),
  findings: z.string().nullable(),
  blockers: z.string().nullable(),
  next_steps: z.string().nullable(),
  agent_id: AgentId.nullable(),
  person: z.string().optional().describe('Who saved it, where that is a person with a name'),
  saved_at: z.string(),
})
export type NoteView = z.infer<typeof NoteView>

export const HandoffView = z.object({
  handoff_id: HandoffId,
  task_id: TaskId,
  from_agent_id: AgentId,
  to_agent_id: AgentId.nullable(),
  summary: z.string(),
  context: z.string().nullable(),
  recommendations: z.string().nullable(),
  created_at: z.string(),
  accepted_at: z.string().nullable(),
  accepted_by: AgentId.nullable(),
  status: HandoffStatus,
})
export type HandoffView = z.infer<typeof HandoffView>

export const RunView = z.object({
  executionId: RunId,
  taskId: TaskId,
  agentId: AgentId,
  status: z.enum(['running', 'completed', 'failed', 'error']),
  result: z.string().nullable(),
  exitCode: z.int().nullable(),
  durationSeconds: z.number().nullable(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  reason: z
    .string()
    .nullable()
    .describe('Why it ended without a report, and what to do; null: it reported, or goes on'),
})
export type RunView = z.infer<typeof RunView>

/** As a task shows its runs: with what each used, as far as its engine reports it. */
export const RunDetail = RunView.extend({
  summary: z.string().nullable(),
  logFilePath: z.string().nullable(),
  engine: z.string().nullable(),
  model: z.string().nullable(),
  runner: z.string().nullable().describe('Who started it; null: a person'),
  toolCallCount: z.int().nullable(),
  deniedTools: z.array(z.string()).describe("Tools that the engine's own permissions refused"),
  createdFiles: z.array(z.string()),
  editedFiles: z.array(z.string()),
  deletedFiles: z.array(z.string()),
  usage: Usage.nullable(),
  costUsd: z.number().nullable(),
  lastMessage: z.string().nullable(),
})
export type RunDetail = z.infer<typeof RunDetail>

export const PhaseView = z.object({
  phase: z.string(),
  status: PhaseStatus,
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  outcome: Outcome.nullable(),
  summary: z.string().nullable(),
  checkpoints: z.int(),
  reason: z.string().nullable().describe('Why it was begun again, if a reason was given'),
})
export type PhaseView = z.infer<typeof PhaseView>

export const PhasePromptView = z.object({
  phase: z.string(),
  language: z.enum(['en', 'ja']),
  version: z.int(),
  sha256: z.string(),
  author: z.string(),
  title: z.string(),
  bytes: z.int(),
  created_at: z.string().nullable(),
  project_id: ProjectId.nullable().describe("The project whose own it is; null: the hub's"),
})
export type PhasePromptView = z.infer<typeof PhasePromptView>

/** One step of a project through its phases. */
export const PhaseStepView = z.object({
  kind: z.enum(['ended', 'back', 'round']),
  phase: z.string().describe('The phase that ended, or began again'),
  round: z.int(),
  outcome: Outcome.nullable(),
  next_phase: z.string().nullable(),
  summary: z.string().nullable(),
  reason: z.string().nullable(),
  caller: z.string(),
  at: z.string(),
})
export type PhaseStepView = z.infer<typeof PhaseStepView>

export const RunnerView = z.object({
  name: z.string(),
  created_at: z.string(),
  last_seen_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  engines: z.array(z.string()),
  instances: z.int(),
})
export type RunnerView = z.infer<typeof RunnerView>

/** An engine process that a Runner started for an agent. */
export const InstanceView = z.object({
  instance_id: InstanceId,
  agent_id: AgentId,
  project_id: ProjectId,
  task_id: TaskId.nullable().describe('The task in whose workspace it works; null: in the folder of the project'),
  engine: z.string(),
  runner: z.string(),
  pid: z.int().nullable().describe('On the machine of its Runner; null: not known yet'),
  started_at: z.string(),
})
export type InstanceView = z.infer<typeof InstanceView>

/** A token with the operator's rights, for people and programs on other machines. */
export const TokenView = z.object({
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe('To the minute'),
  revoked_at: z.string().nullable(),
})
export type TokenView = z.infer<typeof TokenView>

/** A browser that is signed in to the dashboard. */
export const PageView = z.object({
  page_id: PageId,
  browser: z.string().describe('As it calls itself'),
  signed_in_at: z.string(),
  last_seen_at: z.string().describe('To the minute'),
  revoked_at: z.string().nullable(),
})
export type PageView = z.infer<typeof PageView>

/** A start that no Runner that is there can take. */
export const WaitingStart = z.object({
  agent_id: AgentId,
  agent_name: z.string(),
  project_id: ProjectId,
  project_name: z.string(),
  engine: z.string(),
  directory: z.string(),
  problem: z.string().describe('What it waits for'),
})
export type WaitingStart = z.infer<typeof WaitingStart>

/** An engine as the hub finds it: its own PATH and configuration decide. */
export const EngineView = z.object({
  engine: z.string(),
  programs: z.array(z.string()).describe('The names it is looked for under'),
  program: z.string().nullable().describe('Where its program is; null when the hub does not find it'),
  headless: z.boolean(),
  terminal: z.boolean(),
  paused_until: z.string().nullable(),
})
export type EngineView = z.infer<typeof EngineView>

export const PauseView = z.object({ engine: z.string(), until: z.string(), reason: z.string() })
export type PauseView = z.infer<typeof PauseView>

const RunSums = z.object({
  runs: z.int().describe('Started on that day'),
  failures: z.int().describe('Of these, those that ended badly'),
  cost: CostSum,
  tokens: TokenSums,
})
export type RunSums = z.infer<typeof RunSums>

/** What ran on one day. */
export const DayStats = RunSums.extend({
  from: z.string(),
  engines: z.record(z.string(), z.int()).describe('Runs by engine'),
  by_engine: z.record(z.string(), RunSums).describe('The same by engine; agents that a person started have none'),
})
export type DayStats = z.infer<typeof DayStats>
