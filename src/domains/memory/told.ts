// Which agents got a decision with their task. No row says so: what a task follows, and which of the replacements stood when its
// agent took it, are facts already.
import type { AgentId, TaskId } from '#contract/id-types.ts'
import type { Decision } from './model.ts'

/** Since when a task follows a decision: one of its chain. */
export type Follows = { decisionId: number; taskId: TaskId; since: number }
/** An agent that took a task. */
export type Taking = { taskId: TaskId; agentId: AgentId; takenAt: number }

type Link = Pick<Decision, 'id' | 'createdAt'>

/** `chain`: from the first that was replaced to the one that stands. */
export function agentsTold(id: number, chain: readonly Link[], follows: readonly Follows[], taken: readonly Taking[]) {
  const at = chain.findIndex(one => one.id === id)
  const decision = chain[at]
  if (!decision) return []
  const until = chain[at + 1]?.createdAt ?? Number.POSITIVE_INFINITY
  // A task that followed an earlier one is given the one that stands in its place.
  const earlier = new Set(chain.slice(0, at + 1).map(one => one.id))
  const told = new Set<AgentId>()
  for (const { decisionId, taskId, since } of follows) {
    if (!earlier.has(decisionId)) continue
    const from = Math.max(since, decision.createdAt)
    for (const { taskId: its, agentId, takenAt } of taken)
      if (its === taskId && takenAt >= from && takenAt < until) told.add(agentId)
  }
  return [...told].sort()
}
