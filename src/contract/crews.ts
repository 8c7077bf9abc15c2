// Crews: runs that were started for one purpose, side by side or in stages.
import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { CrewId, RunId } from './id-types.ts'
import { Permission } from './permission.ts'
import { Usage } from './usage.ts'

export const CREW_MODES = ['concurrent', 'sequential'] as const
export type CrewMode = (typeof CREW_MODES)[number]

export const RUN_STATUSES = [
  'queued',
  'running',
  'resultReported',
  'completed',
  'failed',
  'timedOut',
  'cancelled',
] as const
export const RunStatus = z.enum(RUN_STATUSES)
export type RunStatus = z.infer<typeof RunStatus>

const REPORT_STATUSES = ['success', 'failure', 'timeout', 'cancelled'] as const
export const ReportStatus = z.enum(REPORT_STATUSES)
export type ReportStatus = z.infer<typeof ReportStatus>

/** The longest that one call waits: clients give up on calls after a minute. */
export const WAIT_MS = 45_000
export const PROMPT_MAX = 200_000
export const SUMMARY_MAX = 100_000

/** What came of a run: what it reported, or what the hub saw when it reported nothing. */
export const RunResult = z.object({
  agentId: RunId,
  groupId: CrewId,
  role: z.string(),
  model: z.string(),
  status: ReportStatus,
  summary: z.string(),
  editedFiles: z.array(z.string()),
  createdFiles: z.array(z.string()),
  errorMessage: z.string().optional(),
  toolCallCount: z.int(),
  duration_ms: z.int(),
  timestamp: z.string(),
  source: z.enum(['report', 'hub']).describe('Who said so: the run itself, or the hub from what it saw'),
})
export type RunResult = z.infer<typeof RunResult>

export const CrewRunSummary = z.object({
  agentId: RunId,
  groupId: CrewId,
  role: z.string(),
  model: z.string(),
  status: RunStatus,
  startedAt: z.string().nullable(),
  elapsed_ms: z.int(),
  toolCallCount: z.int(),
})
export type CrewRunSummary = z.infer<typeof CrewRunSummary>

export const CrewRunState = CrewRunSummary.extend({
  engine: z.string(),
  prompt: z.string().describe('Its beginning'),
  workingDirectory: z.string(),
  stageIndex: z.int().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  timeout_ms: z.int().nullable(),
  editedFiles: z.array(z.string()),
  createdFiles: z.array(z.string()),
  lastMessage: z.string().nullable(),
  sessionId: z.string().nullable().describe("The engine's own id of the conversation"),
  usage: Usage.nullable(),
  cost_usd: z.number().nullable(),
  exitCode: z.int().nullable(),
  endReason: z.string().nullable(),
  result: RunResult.nullable(),
})
export type CrewRunState = z.infer<typeof CrewRunState>

export const CrewView = z.object({
  groupId: CrewId,
  description: z.string(),
  mode: z.enum(CREW_MODES),
  status: z.enum(['active', 'deleted']),
  createdAt: z.string(),
  agentIds: z.array(RunId),
})
export type CrewView = z.infer<typeof CrewView>

const Check = z.object({ ok: z.boolean(), error: z.string().optional() })
export const RoleView = z.object({
  id: z.string(),
  name: z.string(),
  engine: z.string().nullable(),
  model: z.string(),
  permission: Permission.describe('What its agents may do; a role with more than your own is refused'),
  available: z.boolean(),
  healthCheck: Check.extend({ program: z.string().optional(), version: z.string().optional() }),
  modelValidation: Check.extend({
    checked: z.literal(false).optional().describe('Whether the engine runs this model is not known before it is tried'),
  }),
  reason: z.string().optional().describe('Why it is not available'),
  toolsets: z.array(z.string()).optional().describe('What its agents have besides the tools of their own work'),
})
export type RoleView = z.infer<typeof RoleView>

export const CrewError = errors({
  GROUP_NOT_FOUND: error('not-found', (p: { groupId: string }) => ({
    en: `Group ${p.groupId} not found. Create one with create_group.`,
    ja: `グループ ${p.groupId} はありません。create_group で作成できます。`,
  })),
  GROUP_NOT_ACTIVE: error('conflict', (p: { groupId: string }) => ({
    en: `Group ${p.groupId} was deleted; make another with create_group.`,
    ja: `グループ ${p.groupId} は削除済みです。create_group で新しく作成してください。`,
  })),
  GROUP_HAS_RUNNING_AGENTS: error('conflict', (p: { groupId: string; count: number }) => ({
    en: `${p.count} agents of group ${p.groupId} have not ended yet; wait for them with wait_agent, or stop them with stop_agent.`,
    ja: `グループ ${p.groupId} には終了していないエージェントが ${p.count} 件あります。wait_agent で待つか、stop_agent で停止してください。`,
  })),
  MODE_MISMATCH: error('conflict', (p: { groupId: string; mode: string; tool: string }) => ({
    en: `Group ${p.groupId} is ${p.mode}: use ${p.tool} with it, or create_group with the other mode.`,
    ja: `グループ ${p.groupId} は ${p.mode} です。${p.tool} を使うか、別のモードで create_group を呼んでください。`,
  })),
  ROLE_NOT_FOUND: error('not-found', (p: { role: string }) => ({
    en: `Role ${p.role} not found. Use list_roles to list them.`,
    ja: `ロール ${p.role} はありません。list_roles で一覧を確認できます。`,
  })),
  ROLE_UNAVAILABLE: error('unavailable', (p: { role: string; problem: string }) => ({
    en: `Role ${p.role} is not available: ${p.problem}. \`toryo doctor\` says what to do.`,
    ja: `ロール ${p.role} は利用できません: ${p.problem}。対処は \`toryo doctor\` で確認できます。`,
  })),
  MAX_CONCURRENT_REACHED: error('limit', (p: { wanted: number; limit: number; file?: string }) => ({
    en: `${p.wanted} more would be over the limit of ${p.limit} runs at a time; wait for some to end, or raise limits.runs${p.file === undefined ? '' : ` in the project's ${p.file}`}.`,
    ja: `あと ${p.wanted} 件は同時実行の上限 ${p.limit} を超えます。終了を待つか、${p.file === undefined ? '' : `プロジェクトの ${p.file} の `}limits.runs を上げてください。`,
  })),
  DEPTH_LIMIT_REACHED: error('limit', (p: { limit: number }) => ({
    en: `Runs may start others only ${p.limit} deep; do this part of the work yourself.`,
    ja: `実行から実行を起動できるのは ${p.limit} 段までです。この作業は自分で行ってください。`,
  })),
  EMPTY_AGENTS: error('invalid', () => ({
    en: 'agents is empty; name at least one.',
    ja: 'agents が空です。1 件以上指定してください。',
  })),
  EMPTY_STAGES: error('invalid', () => ({
    en: 'stages is empty; name at least one.',
    ja: 'stages が空です。1 件以上指定してください。',
  })),
  EMPTY_STAGE_TASKS: error('invalid', (p: { stage: number }) => ({
    en: `Stage ${p.stage} has no tasks; each stage needs at least one.`,
    ja: `ステージ ${p.stage} の tasks が空です。各ステージに 1 件以上指定してください。`,
  })),
  AGENTS_START_FAILED: error('invalid', (p: { problem: string }) => ({
    en: `Nothing was started: ${p.problem}.`,
    ja: `起動できませんでした: ${p.problem}。`,
  })),
  SEQUENTIAL_START_FAILED: error('invalid', (p: { problem: string }) => ({
    en: `The plan was not started: ${p.problem}.`,
    ja: `計画を開始できませんでした: ${p.problem}。`,
  })),
})

// These four carry the names and shapes that readers of `/events` expect of crews.
export const GroupCreated = eventType('group:created', CrewView)
export const GroupDeleted = eventType('group:deleted', z.object({ groupId: CrewId }))
export const RunCreated = eventType('agent:created', CrewRunState)
export const ResultReported = eventType('agent:result_reported', RunResult)

export const StageStarted = eventType(
  'stage.started',
  z.object({ crewId: CrewId, stage: z.int(), runIds: z.array(RunId) }),
)
export const PlanEnded = eventType('plan.ended', z.object({ crewId: CrewId, outcome: z.string() }))
