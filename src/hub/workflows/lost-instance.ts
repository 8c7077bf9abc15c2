import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import { endSentence } from '#contract/run-end-text.ts'
import type { RunEnd } from '#contract/run-end.ts'
import { MAX_RESTARTS } from '#domains/identity/model.ts'
import type { Instances } from '#domains/identity/ports.ts'
import type { Starts } from '#domains/identity/starts.ts'
import type { Tasks } from '#domains/projects/tasks.ts'
import type { TaskRuns } from '#domains/runs/task-runs.ts'

/** An agent has a handful of tasks in progress. */
const WORK = 100

/** When an instance ends without a report, its run ends as an error; after too many times its task waits for a person. */
export async function lostInstance(
  { runs, tasks, starts }: { runs: TaskRuns; tasks: Tasks; starts: Pick<Starts, 'findByEpoch'> },
  instance: Parameters<Instances['lost']>[0],
  by: Caller,
): Promise<void> {
  const { sessionId, end, exitCode } = instance
  await runs.abandon(sessionId, instance, end, by, exitCode)
  if (!instance.exhausted) return
  const { projectId, agentId } = instance
  const work = await tasks.listWork(projectId, agentId, ['in_progress'], WORK)
  const own = (await starts.findByEpoch(instance))?.taskId ?? work[0]?.id
  const task = work.find(({ id }) => id === own)
  // The task keeps one text; a reader of another language gets it made again from the last run.
  if (task) await tasks.move(task.id, 'blocked', by, whyGivenUp(end).en)
}

export function whyGivenUp(end: RunEnd): Text {
  const last = endSentence(end)
  return {
    en: `The agent was started ${MAX_RESTARTS} times more and fell silent or ended each time without a report. The last time: ${last.en} Then move the task back to in_progress.`,
    ja: `エージェントを ${MAX_RESTARTS} 回再起動しましたが、毎回報告なしに終了しました。最後の実行: ${last.ja}対処した後、タスクを in_progress に戻してください。`,
  }
}
