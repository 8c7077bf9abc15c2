// Runs and crews as the API answers with them, made from what agents' tools get.
import type { CrewRunState, RoleView, RunStatus } from '#contract/crews.ts'
import type {
  CrewRecord,
  CrewRunRecord,
  CrewRunStatus,
  ExecutionDetail,
  ExecutionRecord,
  RoleRecord,
  TaskExecution,
} from '#contract/records.ts'
import type { Lang } from '#contract/errors.ts'
import type { RunId } from '#contract/id-types.ts'
import type { RunDetail, RunView } from '#contract/views.ts'
import type { Crew } from './crew-model.ts'
import { crewView } from './crew-views.ts'
import { spentBy, type TaskRun } from './model.ts'
import { runView } from './task-run-views.ts'

export const STATUSES: Record<RunStatus, CrewRunStatus> = {
  queued: 'queued',
  running: 'running',
  resultReported: 'reported',
  completed: 'completed',
  failed: 'failed',
  timedOut: 'timed_out',
  cancelled: 'cancelled',
}

/** The status that tools know by this word. */
export function statusOfWord(word: CrewRunStatus): RunStatus {
  return (Object.keys(STATUSES) as RunStatus[]).find(status => STATUSES[status] === word) as RunStatus
}

function executionRecord(view: RunView): ExecutionRecord {
  return {
    execution_id: view.executionId,
    task_id: view.taskId,
    agent_id: view.agentId,
    status: view.status,
    result: view.result,
    exit_code: view.exitCode,
    duration_seconds: view.durationSeconds,
    started_at: view.startedAt,
    ended_at: view.completedAt,
    reason: view.reason,
  }
}

export function taskExecution(run: TaskRun, lang: Lang): TaskExecution {
  const { usage, usd: cost_usd } = spentBy(run)
  return { ...executionRecord(runView(run, lang)), tool_calls: run.facts?.toolCalls ?? null, usage, cost_usd }
}

export function executionDetail(view: RunDetail): ExecutionDetail {
  return {
    ...executionRecord(view),
    summary: view.summary,
    log_file: view.logFilePath,
    engine: view.engine,
    model: view.model,
    runner: view.runner,
    tool_calls: view.toolCallCount,
    denied_tools: view.deniedTools,
    created_files: view.createdFiles,
    edited_files: view.editedFiles,
    deleted_files: view.deletedFiles,
    usage: view.usage,
    cost_usd: view.costUsd,
    last_message: view.lastMessage,
  }
}

export function crewRecord(crew: Crew, runIds: RunId[]): CrewRecord {
  const { groupId, description, mode, status, createdAt } = crewView(crew, runIds)
  const on_failure = mode === 'sequential' ? crew.onFailure : null
  return { crew_id: groupId, description, mode, on_failure, status, created_at: createdAt, run_ids: runIds }
}

export function crewRunRecord(run: CrewRunState): CrewRunRecord {
  return {
    run_id: run.agentId,
    crew_id: run.groupId,
    role: run.role,
    engine: run.engine,
    model: run.model,
    status: STATUSES[run.status],
    prompt: run.prompt,
    directory: run.workingDirectory,
    stage: run.stageIndex,
    created_at: run.createdAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    end_reason: run.endReason,
    exit_code: run.exitCode,
    elapsed_ms: run.elapsed_ms,
    timeout_ms: run.timeout_ms,
    tool_calls: run.toolCallCount,
    created_files: run.createdFiles,
    edited_files: run.editedFiles,
    last_message: run.lastMessage,
    session_id: run.sessionId,
    usage: run.usage,
    cost_usd: run.cost_usd,
    result: resultRecord(run.result),
  }
}

function resultRecord(result: CrewRunState['result']): CrewRunRecord['result'] {
  if (result === null) return null
  const { status, summary, errorMessage, source, timestamp } = result
  return { status, summary, error: errorMessage ?? null, source, reported_at: timestamp }
}

export function roleRecord({ healthCheck, modelValidation, ...role }: RoleView): RoleRecord {
  return { ...role, health_check: healthCheck, model_check: modelValidation }
}
