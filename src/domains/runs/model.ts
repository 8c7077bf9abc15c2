import { resolve } from 'node:path'
import type { ReportStatus, RunStatus } from '#contract/crews.ts'
import type { AgentId, CrewId, ProjectId, RunId, SessionId, TaskId } from '#contract/id-types.ts'
import type { ReportResult } from '#contract/projects.ts'
import type { RunEnd } from '#contract/run-end.ts'
import { eachKind, type Usage } from '#contract/usage-text.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'

export type Outcome = 'completed' | 'failed' | 'error'

/** One piece of work by one agent, start to end. Open as long as `endedAt` is null. */
export type TaskRun = {
  id: RunId
  /** Until it is taken: the task that it was started for. */
  taskId: TaskId
  agentId: AgentId
  projectId: ProjectId
  /** Null until its agent has taken the task. */
  sessionId: SessionId | null
  /** Which of the pair's instances it is the work of; null for rows of earlier versions. */
  epoch: number | null
  /** When its agent got the task. Null: it was started and has not asked for it. */
  takenAt: number | null
  /** Null where a person started the agent. */
  engine: string | null
  runner: string | null
  startedAt: number
  /** In the hub's own time; null for one of an earlier version. */
  beganAt: number | null
  endedAt: number | null
  outcome: Outcome | null
  result: ReportResult | null
  summary: string | null
  exitCode: number | null
  durationMs: number | null
  /** What a client or a Runner said of its own log. Inert text, never opened. */
  logPath: string | null
  /** What its output said. */
  facts: RunFacts | null
  /** Why it ended; null while it is open, and for rows of earlier versions. */
  end: RunEnd | null
}

export type Ending = Partial<Pick<TaskRun, 'result' | 'summary' | 'exitCode' | 'durationMs' | 'logPath' | 'end'>> & {
  outcome: Outcome
}

/** One engine process of a Runner, as far as its runs care. */
export type Start = { agentId: AgentId; projectId: ProjectId; epoch: number }

/** What is known of a process at its end, whatever its agent reported. */
export type ProcessEnd = {
  end: RunEnd
  exitCode: number | null
  logPath: string | null
  facts: RunFacts | null
}

export function statusOf(run: TaskRun): 'running' | Outcome {
  return run.outcome ?? 'running'
}

export function outcomeOf(result: ReportResult): Outcome {
  return result === 'success' ? 'completed' : 'failed'
}

export type CrewOutcome = Exclude<RunStatus, 'queued' | 'running' | 'resultReported'>

/** What its output has said so far. */
export type RunFacts = {
  session?: string | undefined
  model?: string | undefined
  mcpConnected?: boolean | undefined
  toolCalls: number
  denied: number
  deniedTools?: readonly string[] | undefined
  created: readonly string[]
  edited: readonly string[]
  deleted: readonly string[]
  usage?: Usage | undefined
  costUsd?: number | undefined
  lastMessage?: string | undefined
  trouble?: string | undefined
  troubled?: boolean | undefined
  quota?: { message: string; resetsAt?: number | undefined } | undefined
  lines: number
  badLines: number
}

export const NO_FACTS: RunFacts = {
  toolCalls: 0,
  denied: 0,
  created: [],
  edited: [],
  deleted: [],
  lines: 0,
  badLines: 0,
}

const NEVER_RAN = new Set<RunEnd['kind']>([
  'program-missing',
  'folder-missing',
  'no-workspace',
  'not-started',
  'untrusted',
])

/** Null: its engine does not say, or not yet. Where no program ran it is known to be nothing. */
export function spentBy(run: { end: RunEnd | null; facts: RunFacts | null }): {
  usage: Usage | null
  usd: number | null
} {
  if (run.end !== null && NEVER_RAN.has(run.end.kind)) return { usage: eachKind(() => 0), usd: 0 }
  return { usage: run.facts?.usage ?? null, usd: run.facts?.costUsd ?? null }
}

/** What it used, as far as its output says. */
export function sums({ toolCalls, usage, costUsd }: RunFacts) {
  return { toolCalls, ...(usage && { tokens: usage }), ...(costUsd !== undefined && { costUsd }) }
}

/** What a run says of itself before it ends, or what the hub says for it. */
export type Report = {
  status: ReportStatus
  summary: string
  editedFiles: readonly string[]
  createdFiles: readonly string[]
  errorMessage?: string | undefined
  source: 'report' | 'hub'
  at: number
  /** Since the run's start; one of an earlier version has none. */
  afterMs?: number
}

/** A run that the hub starts itself, as part of a crew. Facts only: `crewStatus` says what they mean. */
export type CrewRun = {
  id: RunId
  crewId: CrewId
  /** A crew may be given one plan after another. */
  plan: number
  stage: number | null
  position: number
  projectId: ProjectId | null
  /** The task in whose workspace it works. */
  taskId: TaskId | null
  /** Null: what its prompt says, ended by a report. A review is ended by a verdict. */
  work: 'review' | null
  role: string
  engine: string
  model: string
  prompt: string
  /** The role's, as they were when the run was made. */
  instructions: string
  permission: string
  directory: string
  depth: number
  timeoutMs: number | null
  /** Whose hub has it: the one in this folder on this machine. */
  place: string
  startedBy: string
  createdAt: number
  /** May start, and has its slot. */
  dueAt: number | null
  /** Its process, planned or real; it is never launched a second time. */
  process: ProcessRecord | null
  startedAt: number | null
  /** The same in the hub's own time. */
  beganAt: number | null
  /** From its start to its end. */
  durationMs: number | null
  stopAsked: string | null
  reportedAt: number | null
  endedAt: number | null
  outcome: CrewOutcome | null
  endReason: string | null
  /** Null while it is open, and for rows of earlier versions. */
  end: RunEnd | null
  exitCode: number | null
  facts: RunFacts
  report: Report | null
  ticketDigest: string | null
  ticketConnection: string | null
}

export type NewCrewRun = Pick<
  CrewRun,
  | 'crewId'
  | 'plan'
  | 'stage'
  | 'position'
  | 'projectId'
  | 'taskId'
  | 'work'
  | 'role'
  | 'engine'
  | 'model'
  | 'prompt'
  | 'instructions'
  | 'permission'
  | 'directory'
  | 'depth'
  | 'timeoutMs'
  | 'startedBy'
> & { id: RunId; due: boolean }

/** `due`: it may start at once; otherwise when its stage has come. */
export function newRun({ due, ...given }: NewCrewRun, place: string, now: number): CrewRun {
  return {
    ...given,
    place,
    createdAt: now,
    dueAt: due ? now : null,
    process: null,
    startedAt: null,
    beganAt: null,
    durationMs: null,
    stopAsked: null,
    reportedAt: null,
    endedAt: null,
    outcome: null,
    endReason: null,
    end: null,
    exitCode: null,
    facts: NO_FACTS,
    report: null,
    ticketDigest: null,
    ticketConnection: null,
  }
}

export type CrewEnding = {
  outcome: CrewOutcome
  reason: string
  exitCode: number | null
  facts?: RunFacts
  /** What is wrong, for people. */
  problem?: string | undefined
  /** The same, as a fact. */
  end?: RunEnd | undefined
}

export function crewStatus(run: Pick<CrewRun, 'outcome' | 'reportedAt' | 'startedAt'>): RunStatus {
  if (run.outcome !== null) return run.outcome
  if (run.reportedAt !== null) return 'resultReported'
  return run.startedAt === null ? 'queued' : 'running'
}

const BY_REPORT: Record<ReportStatus, CrewOutcome> = {
  success: 'completed',
  failure: 'failed',
  timeout: 'timedOut',
  cancelled: 'cancelled',
}
const BY_OUTCOME: Record<CrewOutcome, ReportStatus> = {
  completed: 'success',
  failed: 'failure',
  timedOut: 'timeout',
  cancelled: 'cancelled',
}

/** One that has reported ended as it said, however its process went afterwards. */
export function settled(run: CrewRun, ending: CrewEnding): CrewEnding {
  const outcome = run.report?.source === 'report' ? BY_REPORT[run.report.status] : ending.outcome
  if (outcome === 'completed') return { ...ending, outcome }
  // The process ended well, and only its report says otherwise.
  if (ending.outcome === 'completed') return { ...ending, outcome, reason: 'reported' }
  // Programs say "success" of a turn that ended in order, also where the model could not be reached.
  return { ...ending, outcome, reason: ending.reason === 'success' ? 'error' : ending.reason }
}

type Timed = Pick<CrewRun, 'startedAt' | 'beganAt' | 'endedAt' | 'durationMs'>

/** From its start to its end, or until now. */
export function elapsed(run: Timed, now: HubMoment): number {
  if (run.startedAt === null) return 0
  if (run.durationMs !== null) return run.durationMs
  if (run.endedAt === null) return Math.max(0, now - (run.beganAt ?? now))
  // Of an earlier version, which had the wall clock only.
  return Math.max(0, run.endedAt - run.startedAt)
}

/** For one that ended without a word: its last message, or why it ended. */
export function reportFor(ending: CrewEnding, at: number, afterMs: number): Report {
  const facts = ending.facts ?? NO_FACTS
  const problem = ending.problem ?? facts.trouble ?? facts.quota?.message
  const exit = ending.exitCode === null ? '' : `, exit code ${ending.exitCode}`
  const why = `Ended without a report (${ending.reason}${exit}).`
  return {
    status: BY_OUTCOME[ending.outcome],
    summary: facts.lastMessage?.trim() || (problem ? `${why} ${problem}` : why),
    editedFiles: facts.edited,
    createdFiles: facts.created,
    ...(ending.outcome === 'completed' ? {} : { errorMessage: problem ?? why }),
    source: 'hub',
    at,
    afterMs,
  }
}

/** Everything that either named, each file once as it was spelled first: a relative path is one below the run's folder. */
export function merged(directory: string, ...lists: (readonly string[])[]): string[] {
  const files = new Map<string, string>()
  for (const file of lists.flat()) {
    const place = resolve(directory, file)
    if (!files.has(place)) files.set(place, file)
  }
  return [...files.values()]
}
