import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import { endSentence, type RunEnd } from '#contract/run-end.ts'
import { MAX_RESTARTS } from '#domains/identity/model.ts'
import type { Instances } from '#domains/identity/ports.ts'
import type { Tasks } from '#domains/projects/tasks.ts'
import type { TaskRuns } from '#domains/runs/task-runs.ts'

/** When an instance ends without a report, its run ends as an error; after too many times its task waits for a person. */
export async function lostInstance(
  { runs, tasks }: { runs: TaskRuns; tasks: Tasks },
  instance: Parameters<Instances['lost']>[0],
  by: Caller,
): Promise<void> {
  const { sessionId, end, exitCode } = instance
  await runs.abandon(sessionId, instance, end, by, exitCode)
  if (!instance.exhausted) return
  const [task] = await tasks.listWork(instance.projectId, instance.agentId, ['in_progress'], 1)
  // The task keeps one text; whoever reads it in another language gets it made again from the last run.
  if (task) await tasks.move(task.id, 'blocked', by, whyGivenUp(end).en)
}

export function whyGivenUp(end: RunEnd): Text {
  const last = endSentence(end)
  return {
    en: `The agent was started ${MAX_RESTARTS} times more and fell silent or ended each time without a report. The last time: ${last.en} Then move the task back to in_progress.`,
    ja: `エージェントを ${MAX_RESTARTS} 回再起動しましたが、毎回報告なしに終了しました。最後の実行: ${last.ja}対処した後、タスクを in_progress に戻してください。`,
  }
}
