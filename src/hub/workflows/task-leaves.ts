import { type Caller, personOf } from '#contract/caller.ts'
import { type RunEnd, runEnd } from '#contract/run-end.ts'
import type { Agents } from '#domains/identity/agents.ts'
import type { Leases } from '#domains/identity/leases.ts'
import type { Starts } from '#domains/identity/starts.ts'
import type { Task } from '#domains/projects/model.ts'
import type { TaskRun } from '#domains/runs/model.ts'
import type { TaskRuns } from '#domains/runs/task-runs.ts'

type Needs = { runs: TaskRuns; leases: Leases; agents: Agents; starts: Pick<Starts, 'findByEpoch'> }

/**
 * When a person takes a task out of `in_progress` or gives it to another, the process that a Runner started for it ends, as with
 * `run stop`. Not when an agent did: its own reports next, and no agent may end another. And not an agent that no Runner started: a
 * person works with that one, in a tab or a terminal. One that a Runner of somebody else's started stays signed in, since we cannot
 * end its process: it hears that it has no task any more, and reports without one.
 */
export async function taskLeaves(
  { runs, leases, agents, starts }: Needs,
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
    if (inHand === run.taskId && (await isOurs(starts, run))) await leases.takeAway(run, end, by)
    const left = await runs.find(run.id)
    if (left) await runs.end(left, { outcome: 'error', end }, by)
  }
}

/** A Runner of ours watches its process, or is about to start it. */
async function isOurs(starts: Needs['starts'], { agentId, projectId, epoch, sessionId }: TaskRun): Promise<boolean> {
  if (sessionId === null || epoch === null) return true
  return (await starts.findByEpoch({ agentId, projectId, epoch }))?.supervised === true
}

async function whyLeft(agents: Agents, task: Task, before: Task, by: Caller): Promise<RunEnd> {
  const { handle, status, assigneeId } = task
  const person = personOf(by) ?? undefined
  if (status !== before.status) return runEnd('task-left', { handle, status, person })
  const assignee = assigneeId === null ? undefined : (await agents.get(assigneeId)).name
  return runEnd('task-left', { handle, assignee, person })
}
