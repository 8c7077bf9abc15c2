// The same runs once more. They get a crew of their own: what came of the first stays as it was.
import { CoreError } from '#contract/errors.ts'
import { CrewError } from '#contract/crews.ts'
import { RunError } from '#contract/runs.ts'
import { type CrewWish, type PreparedCrew, prepareCrew, startCrew } from '#domains/runs/crew-api.ts'
import type { Crew } from '#domains/runs/crew-model.ts'
import type { CrewRun } from '#domains/runs/model.ts'
import { operation } from '#kernel/operation.ts'
import type { Call, Running } from '#kernel/tool.ts'
import type { Services } from './services.ts'

type Repeat = { wish: CrewWish; failed: CrewRun[]; prepared: PreparedCrew }

export const repeatOperations = [
  operation({
    name: 'crew.repeat',
    effect: 'write',
    async prepare(services: Services, input, call): Promise<Repeat> {
      const { crews, crewRuns } = services
      const crew = await crews.get(input.crew_id, call.caller)
      const runs = await crewRuns.listPlan(crew.id, crew.plans)
      const open = runs.filter(({ endedAt }) => endedAt === null)
      if (open.length > 0) throw CrewError.GROUP_HAS_RUNNING_AGENTS({ groupId: crew.id, count: open.length })
      const chosen = input.only_failed ? runs.filter(({ outcome }) => outcome !== 'completed') : runs
      if (chosen.length === 0) throw CoreError.INVALID_ARGUMENT({ reason: NONE_FAILED })
      return preparedFor(services, crew, chosen, call)
    },
    run: start,
  }),
  operation({
    name: 'run.repeat',
    effect: 'write',
    async prepare(services: Services, input, call): Promise<Repeat> {
      const { crews, crewRuns } = services
      const run = await crewRuns.find(input.run_id)
      if (!run) throw RunError.RUN_NOT_FOUND({ runId: input.run_id })
      if (run.endedAt === null) throw CoreError.INVALID_ARGUMENT({ reason: STILL_RUNS })
      const { description, ...crew } = await crews.get(run.crewId, call.caller)
      return preparedFor(services, { ...crew, mode: 'concurrent', description }, [{ ...run, stage: null }], call)
    },
    run: start,
  }),
]

async function preparedFor(services: Services, crew: Crew, runs: readonly CrewRun[], call: Call): Promise<Repeat> {
  if (runs.some(({ work }) => work !== null)) throw CoreError.INVALID_ARGUMENT({ reason: A_REVIEW })
  const wish = wishOf(crew, runs)
  const failed = runs.filter(({ outcome }) => outcome !== 'completed')
  return { wish, failed, prepared: await prepareCrew(services, wish, call) }
}

/** As it was asked for; roles are looked up again, as they are now. */
function wishOf({ description, mode, onFailure }: Crew, runs: readonly CrewRun[]): CrewWish {
  const stages = [...new Set(runs.map(({ stage }) => stage ?? 0))].sort((a, b) => a - b)
  const taskId = runs.find(run => run.taskId !== null)?.taskId
  return {
    ...{ description, mode, on_failure: onFailure, directory: runs[0]?.directory },
    stages: stages.map(stage => ({
      tasks: runs
        .filter(run => (run.stage ?? 0) === stage)
        .map(({ role, prompt, directory, timeoutMs }) => ({
          ...{ role, prompt },
          // The workspace of a task may be in another place by now.
          ...(taskId ? {} : { workingDirectory: directory }),
          ...(timeoutMs !== null && { timeout_ms: timeoutMs }),
        })),
    })),
    ...(taskId && { task_id: taskId }),
  }
}

async function start(services: Services, _input: object, call: Running<Repeat>) {
  const { wish, failed, prepared } = call.prepared
  const answer = await startCrew(services, wish, prepared, call)
  // A person is dealing with these. Should it fail again, that is an item of its own.
  for (const { id } of failed) await services.seen.mark(`run_failed:${id}`, call.caller)
  return answer
}

const NONE_FAILED = {
  en: 'Every run of this crew succeeded; repeat it without only_failed.',
  ja: 'このクルーの実行はすべて成功しています。only_failed を外して再実行してください。',
}
const STILL_RUNS = {
  en: 'This run has not ended yet; stop it first, or wait for its end.',
  ja: 'この実行はまだ終了していません。先に停止するか、終了を待ってください。',
}
const A_REVIEW = {
  en: 'This run reviews reported work; the hub starts another when the work is reported again.',
  ja: 'これは報告された作業のレビューです。作業が再び報告されると、ハブが新しいレビューを開始します。',
}
