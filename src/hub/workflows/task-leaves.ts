import { type Caller, personOf } from '#contract/caller.ts'
import { type RunEnd, runEnd } from '#contract/run-end.ts'
import type { Agents } from '#domains/identity/agents.ts'
import type { Leases } from '#domains/identity/leases.ts'
import type { Task } from '#domains/projects/model.ts'
import type { TaskRuns } from '#domains/runs/task-runs.ts'

type Needs = { runs: TaskRuns; leases: Leases; agents: Agents }

/**
 * When a person takes a task out of `in_progress` or gives it to another, the process that a Runner started for it ends, as with
 * `run stop`. Not when an agent did: its own reports next, and no agent may end another. And not an agent that no Runner started: a
 * person works with that one, in a tab or a terminal.
 */
export async function taskLeaves(
  { runs, leases, agents }: Needs,
  { task, before }: { task: Task; before: Task },
  by: Caller,
): Promise<void> {
  if (by.kind !== 'operator') return
  const open = (await runs.listOpenOn(task.id)).filter(run => run.runner !== null)
  if (open.length === 0) return
  const end = await whyLeft(agents, task, before, by)
  for (const run of open) {
    // A session that has taken another task since then goes on with that one.
    const inHand = run.sessionId === null ? run.taskId : await runs.inHand(run.sessionId)
    if (inHand === run.taskId) await leases.takeAway(run, end, by)
    const left = await runs.find(run.id)
    if (left) await runs.end(left, { outcome: 'error', end }, by)
  }
}

async function whyLeft(agents: Agents, task: Task, before: Task, by: Caller): Promise<RunEnd> {
  const { handle, status, assigneeId } = task
  const person = personOf(by) ?? undefined
  if (status !== before.status) return runEnd('task-left', { handle, status, person })
  const assignee = assigneeId === null ? undefined : (await agents.get(assigneeId)).name
  return runEnd('task-left', { handle, assignee, person })
}
