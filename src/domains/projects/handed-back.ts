// When agents that hand a task back to each other are stopped.
import type { AgentId } from '#contract/id-types.ts'
import type { Blocked } from '#contract/why.ts'

/** A task that changes hands, as far as it is about who had it (null: nobody), and which files it had then. */
export type Pass = { from: AgentId | null; to: AgentId | null; at: number; tree: string | null; stopped: boolean }

/** So often a task goes back to an agent that had it already, without a change of its files. */
const MOST_BACK = 2
/** The same where it is not known whether they have changed. */
const MOST_BACK_UNSEEN = 8
/** As many of them as have to be looked at for that. */
export const PASSES = 40

/** Undefined as long as agents may go on. `earlier`: newest first; `since`: a person has spoken to it. */
export function whyStopped(pass: Pass, earlier: readonly Pass[], since: number): Blocked | undefined {
  const end = earlier.findIndex(one => one.stopped || one.at <= since || one.tree !== pass.tree)
  const had = new Set<AgentId>()
  let back = 0
  for (const { from, to } of [pass, ...earlier.slice(0, end === -1 ? undefined : end)].reverse()) {
    if (from !== null) had.add(from)
    if (to !== null && had.has(to)) back++
  }
  if (pass.tree !== null)
    return back < MOST_BACK ? undefined : { kind: 'handed-back', count: MOST_BACK, unchanged: true }
  return back < MOST_BACK_UNSEEN ? undefined : { kind: 'handed-back', count: MOST_BACK_UNSEEN, unchanged: false }
}
