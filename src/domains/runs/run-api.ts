import { z } from 'zod'
import type { Lang } from '#contract/errors.ts'
import type { EvidenceId, RunId } from '#contract/id-types.ts'
import { pathIn } from '#contract/ids.ts'
import { RunEnded, RunError } from '#contract/runs.ts'
import type { EventLog } from '#kernel/events.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { CrewRuns } from './crew-runs.ts'
import type { CrewRun, TaskRun } from './model.ts'
import type { CheckLogs } from './ports.ts'
import { readLog } from './read-log.ts'
import type { TaskRuns } from './task-runs.ts'
import { reasonOf, runDetail } from './task-run-views.ts'

type Services = { crewRuns: CrewRuns }
type Executions = Services & { runs: TaskRuns; evidence: CheckLogs }

/** `logOf`: what the instance wrote in which an execution of an agent's happened. */
export function runOperations(logFolder: string, logOf: (run: TaskRun) => string, events: Pick<EventLog, 'subscribe'>) {
  const onEnd = (runId: RunId) => (listener: () => void) =>
    events.subscribe(({ type, payload }) => {
      if (type === RunEnded.type && (payload as { runId?: unknown }).runId === runId) listener()
    })
  const logFile = (run: CrewRun) => pathIn(logFolder, `${run.id}.log`)
  const details = (runs: CrewRuns, run: CrewRun, lang: Lang) => ({
    ...runs.state(run),
    prompt: run.prompt,
    project_id: run.projectId,
    depth: run.depth,
    started_by: run.startedBy,
    log_file: logFile(run),
    reason: reasonOf(run, lang),
    denied_tools: [...(run.facts.deniedTools ?? [])],
  })
  const found = async (runs: CrewRuns, id: RunId): Promise<CrewRun> => {
    const run = await runs.find(id)
    if (!run) throw RunError.RUN_NOT_FOUND({ runId: id })
    return run
  }
  return [
    operation({
      name: 'run.list',
      effect: 'read',
      async run({ crewRuns }: Services, input, { caller }) {
        const limit = limitOf(input.limit)
        const filter = { crewId: input.crew_id, status: input.status }
        const rows = await crewRuns.list(filter, readCursor(input.cursor, z.string()), limit + 1, caller)
        const { items, ...page } = pageOf(
          rows,
          limit,
          run => crewRuns.state(run),
          run => run.id,
        )
        return { runs: items, ...page }
      },
    }),
    operation({
      name: 'run.show',
      effect: 'read',
      run: async ({ crewRuns }: Services, input, { lang }) =>
        details(crewRuns, await found(crewRuns, input.run_id), lang),
    }),
    operation({
      name: 'execution.show',
      effect: 'read',
      run: async ({ runs }: Executions, input, { caller, lang }) =>
        runDetail(await runs.get(input.execution_id, caller), lang),
    }),
    operation({
      name: 'run.stop',
      effect: 'write',
      run: async ({ crewRuns }: Services, input, { caller, lang }) =>
        details(crewRuns, await crewRuns.askStop(input.run_id, 'stopped', caller), lang),
    }),
    operation({
      name: 'run.logs',
      effect: 'read',
      async run({ crewRuns, runs, evidence }: Executions, input, call) {
        if (input.run_id.startsWith('exec_')) {
          const execution = await runs.get(input.run_id, call.caller)
          const isOver = async () => (await runs.get(execution.id, call.caller)).endedAt !== null
          return readLog(logOf(execution), input, { isOver, onEnd: onEnd(execution.id) }, call.signal)
        }
        if (input.run_id.startsWith('evd_')) {
          const check = await evidence.logOf(input.run_id as string as EvidenceId)
          return readLog(check.file, input, { isOver: check.isOver, onEnd: () => () => {} }, call.signal)
        }
        const run = await found(crewRuns, input.run_id)
        const isOver = async () => (await crewRuns.find(run.id))?.endedAt !== null
        return readLog(logFile(run), input, { isOver, onEnd: onEnd(run.id) }, call.signal)
      },
    }),
  ]
}
