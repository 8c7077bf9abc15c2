import { z } from 'zod'
import type { Lang } from '#contract/errors.ts'
import type { RunId } from '#contract/id-types.ts'
import { RunError } from '#contract/runs.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { CrewRuns } from './crew-runs.ts'
import type { CrewRun } from './model.ts'
import { readLog } from './read-log.ts'
import { crewRunRecord, executionDetail, statusOfWord, taskExecution } from './records.ts'
import type { LogServices, RunLogs } from './run-logs.ts'
import type { TaskRuns } from './task-runs.ts'
import { reasonOf, runDetail } from './task-run-views.ts'

type Services = { crewRuns: CrewRuns }
type Executions = Services & { runs: TaskRuns }

export function runOperations(logs: RunLogs) {
  const details = (runs: CrewRuns, run: CrewRun, lang: Lang) => ({
    ...crewRunRecord(runs.state(run, lang)),
    prompt: run.prompt,
    project_id: run.projectId,
    depth: run.depth,
    started_by: run.startedBy,
    log_file: logs.fileOf(run.id),
    task_id: run.taskId,
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
      async run({ crewRuns }: Services, input, { caller, lang }) {
        const limit = limitOf(input.limit)
        const filter = { crewId: input.crew_id, status: input.status && statusOfWord(input.status) }
        const rows = await crewRuns.list(filter, readCursor(input.cursor, z.string()), limit + 1, caller)
        const { items, ...page } = pageOf(
          rows,
          limit,
          run => crewRunRecord(crewRuns.state(run, lang)),
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
      name: 'execution.list',
      effect: 'read',
      async run({ runs }: Executions, input, { caller, lang }) {
        const limit = limitOf(input.limit)
        const { project_id: projectId, task_id: taskId, agent_id: agentId, open } = input
        const before = readCursor(input.cursor, z.string())
        const rows = await runs.list({ projectId, taskId, agentId, open }, before, limit + 1, caller)
        const { items, ...page } = pageOf(
          rows,
          limit,
          run => taskExecution(run, lang),
          run => run.id,
        )
        return { executions: items, ...page }
      },
    }),
    operation({
      name: 'execution.show',
      effect: 'read',
      run: async ({ runs }: Executions, input, { caller, lang }) =>
        executionDetail(runDetail(await runs.get(input.execution_id, caller), lang)),
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
      async run(services: LogServices, input, call) {
        const log = await logs.of(services, input.run_id, call.caller)
        return readLog(log.file, input, log, call.signal)
      },
    }),
  ]
}
