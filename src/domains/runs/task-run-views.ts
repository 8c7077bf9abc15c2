import type { Lang } from '#contract/errors.ts'
import { endSentence, withRun } from '#contract/run-end-text.ts'
import type { RunEnd } from '#contract/run-end.ts'
import type { RunDetail, RunView } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import { spentBy, type TaskRun, statusOf } from './model.ts'

const MESSAGE_SHOWN = 2000

export function runView(run: TaskRun, lang: Lang): RunView {
  // One of an earlier version has the wall clock's times only.
  const measured = run.durationMs ?? (run.endedAt === null ? null : Math.max(0, run.endedAt - run.startedAt))
  return {
    executionId: run.id,
    taskId: run.taskId,
    agentId: run.agentId,
    status: statusOf(run),
    result: run.result,
    exitCode: run.exitCode,
    durationSeconds: measured === null ? null : measured / 1000,
    startedAt: iso(run.startedAt),
    completedAt: run.endedAt === null ? null : iso(run.endedAt),
    reason: reasonOf(run, lang),
  }
}

export function runDetail(run: TaskRun, lang: Lang): RunDetail {
  const { facts } = run
  const { usage, usd: costUsd } = spentBy(run)
  return {
    ...runView(run, lang),
    summary: run.summary,
    logFilePath: run.logPath,
    engine: run.engine,
    model: facts?.model ?? null,
    runner: run.runner,
    toolCallCount: facts?.toolCalls ?? null,
    deniedTools: [...(facts?.deniedTools ?? [])],
    createdFiles: [...(facts?.created ?? [])],
    editedFiles: [...(facts?.edited ?? [])],
    deletedFiles: [...(facts?.deleted ?? [])],
    usage,
    costUsd,
    lastMessage: facts?.lastMessage?.slice(0, MESSAGE_SHOWN).toWellFormed() ?? null,
  }
}

/** Null where the agent itself has said how it went. */
export function reasonOf({ id, end }: { id: string; end: RunEnd | null }, lang: Lang): string | null {
  if (end === null || end.kind === 'reported') return null
  return withRun(endSentence(end)[lang], id)
}
