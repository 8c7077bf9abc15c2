import type { RunSeen } from '#contract/runner.ts'
import type { StartedRuns } from '#domains/identity/ports.ts'
import type { Tasks } from '#domains/projects/tasks.ts'
import type { RunFacts } from '#domains/runs/model.ts'
import type { TaskRuns } from '#domains/runs/task-runs.ts'

/** Every start is a run from its claim on, on the task that the agent would get now, so that none of them ends unseen. */
export function startIsARun({ runs, tasks }: { runs: () => TaskRuns; tasks: Tasks }): StartedRuns {
  return {
    async begun({ agentId, projectId, epoch, engine, runner, taskId }, by) {
      const [task] = taskId === null ? await tasks.listWork(projectId, agentId, ['in_progress'], 1) : [{ id: taskId }]
      if (task) await runs().begin({ agentId, projectId, epoch, engine, runner, taskId: task.id }, by)
    },
    renamed: (start, epoch) => runs().rename(start, epoch),
    logged: (start, logPath) => runs().logged(start, logPath),
    progressed: (start, seen, by) => runs().progressed(start, factsOf(seen), by),
    async ended(start, { seen, ...known }, by) {
      const run = await runs().processEnded(start, { ...known, facts: seen && factsOf(seen) }, by)
      return run?.result ?? undefined
    },
    wasStopped: start => runs().wasStopped(start),
    forgotten: (start, end, by) => runs().abandon(null, start, end, by),
  }
}

function factsOf(seen: RunSeen): RunFacts {
  const { session, model, denied, created, edited, deleted, usage, trouble } = seen
  return {
    ...{ session, model, denied, created, edited, deleted, usage, trouble },
    toolCalls: seen.tool_calls,
    deniedTools: seen.denied_tools,
    costUsd: seen.cost_usd,
    lastMessage: seen.last_message,
    lines: 0,
    badLines: 0,
  }
}
