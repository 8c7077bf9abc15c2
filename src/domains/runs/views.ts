import type { RunDetail, RunView } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import { type Run, statusOf } from './model.ts'

export function runView(run: Run): RunView {
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
  }
}

export function runDetail(run: Run): RunDetail {
  return { ...runView(run), summary: run.summary, logFilePath: run.logPath }
}
