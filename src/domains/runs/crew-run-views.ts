import type { Lang } from '#contract/errors.ts'
import { whatHappened } from '#contract/run-end-text.ts'
import type { CrewRunState, CrewRunSummary, RunResult } from '#contract/crews.ts'
import { iso } from '#kernel/clock.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import { type CrewRun, crewStatus, elapsed, merged, type Report, spentBy } from './model.ts'

/** A whole prompt would be much to pay for who only wants to know how it goes. */
const PROMPT_SHOWN = 500
const FILES_SHOWN = 500
const MESSAGE_SHOWN = 2000

export function crewRunSummary(run: CrewRun, now: HubMoment): CrewRunSummary {
  return {
    agentId: run.id,
    groupId: run.crewId,
    role: run.role,
    model: run.model,
    status: crewStatus(run),
    startedAt: run.startedAt === null ? null : iso(run.startedAt),
    elapsed_ms: elapsed(run, now),
    toolCallCount: run.facts.toolCalls,
  }
}

export function crewRunState(run: CrewRun, now: HubMoment, lang: Lang): CrewRunState {
  const { facts } = run
  const { usage, usd: cost_usd } = spentBy(run)
  return {
    ...crewRunSummary(run, now),
    engine: run.engine,
    prompt: cut(run.prompt, PROMPT_SHOWN),
    workingDirectory: run.directory,
    stageIndex: run.stage,
    createdAt: iso(run.createdAt),
    endedAt: run.endedAt === null ? null : iso(run.endedAt),
    timeout_ms: run.timeoutMs,
    editedFiles: files(run, facts.edited, run.report?.editedFiles),
    createdFiles: files(run, facts.created, run.report?.createdFiles),
    lastMessage: facts.lastMessage === undefined ? null : cut(facts.lastMessage, MESSAGE_SHOWN),
    sessionId: facts.session ?? null,
    usage,
    cost_usd,
    exitCode: run.exitCode,
    endReason: run.endReason,
    result: run.report === null ? null : resultOf(run, run.report, lang),
  }
}

/** Programs read what the hub says of a run in English, as it is stored; in another language it comes from the run's end. */
export function resultOf(run: CrewRun, report: Report, lang: Lang = 'en'): RunResult {
  const said = lang === 'en' || report.source !== 'hub' || run.end === null ? undefined : whatHappened(run.end)[lang]
  const errorMessage = report.errorMessage === undefined ? undefined : (said ?? report.errorMessage)
  return {
    agentId: run.id,
    groupId: run.crewId,
    role: run.role,
    model: run.model,
    status: report.status,
    summary: said === undefined ? report.summary : run.facts.lastMessage?.trim() || said,
    editedFiles: files(run, run.facts.edited, report.editedFiles),
    createdFiles: files(run, run.facts.created, report.createdFiles),
    ...(errorMessage !== undefined && { errorMessage }),
    toolCallCount: run.facts.toolCalls,
    duration_ms: reportedAfter(run, report),
    timestamp: iso(report.at),
    source: report.source,
  }
}

/** From its start to its report; one that came after the end adds nothing. */
function reportedAfter({ startedAt, endedAt }: CrewRun, report: Report): number {
  if (report.afterMs !== undefined) return report.afterMs
  // Of an earlier version.
  return startedAt === null ? 0 : Math.max(0, Math.min(report.at, endedAt ?? report.at) - startedAt)
}

function files(run: CrewRun, seen: readonly string[], told: readonly string[] = []): string[] {
  return merged(run.directory, seen, told).slice(0, FILES_SHOWN)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
