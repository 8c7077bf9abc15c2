import type { Caller } from '#contract/caller.ts'
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
  if (!task) return
  const [run] = await runs.list({ taskId: task.id }, undefined, 1, by)
  const why = { kind: 'silent', restarts: MAX_RESTARTS, run: run?.id ?? null, end } as const
  await tasks.move(task.id, 'blocked', by, why)
}
