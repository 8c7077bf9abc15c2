import type { Caller } from '#contract/caller.ts'
import { MAX_RESTARTS } from '#domains/identity/model.ts'
import type { Instances } from '#domains/identity/ports.ts'
import type { Tasks } from '#domains/projects/tasks.ts'
import type { Runs } from '#domains/runs/service.ts'

const GAVE_UP = `The agent was started ${MAX_RESTARTS} times more and fell silent or ended each time without a report.`
const NEXT = 'Look at its log, then move the task back to in_progress.'

/** When an instance ends without a report, its run ends as an error; after too many times its task waits for a person. */
export async function lostInstance(
  { runs, tasks }: { runs: Runs; tasks: Tasks },
  instance: Parameters<Instances['lost']>[0],
  by: Caller,
): Promise<void> {
  const { sessionId, message, exitCode } = instance
  if (sessionId !== null) await runs.abandon(sessionId, by, { summary: message ?? null, exitCode: exitCode ?? null })
  if (!instance.exhausted) return
  const [task] = await tasks.listWork(instance.projectId, instance.agentId, ['in_progress'], 1)
  const sentences = [GAVE_UP, ...(message ? [`The last time: ${message}`] : []), NEXT]
  if (task) await tasks.move(task.id, 'blocked', by, sentences.join(' '))
}
