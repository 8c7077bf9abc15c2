// When agents that hand a task back to each other are stopped.
import type { Text } from '#contract/errors.ts'
import type { AgentId } from '#contract/id-types.ts'

/** A handoff as far as it is about who had the task, and which files it had then. */
export type Pass = { from: AgentId; to: AgentId | null; at: number; tree: string | null; stopped: boolean }

/** So often a task goes back to an agent that had it already, without a change of its files. */
const MOST_BACK = 2
/** The same where it is not known whether they have changed. */
const MOST_BACK_UNSEEN = 8
/** As many of its handoffs as have to be looked at for that. */
export const PASSES = 40

/** Undefined as long as agents may go on. `earlier`: newest first; `since`: a person has spoken to it. */
export function whyStopped(pass: Pass, earlier: readonly Pass[], since: number): Text | undefined {
  const end = earlier.findIndex(one => one.stopped || one.at <= since || one.tree !== pass.tree)
  const had = new Set<AgentId>()
  let back = 0
  for (const { from, to } of [pass, ...earlier.slice(0, end === -1 ? undefined : end)].reverse()) {
    had.add(from)
    if (to !== null && had.has(to)) back++
  }
  if (pass.tree !== null) return back < MOST_BACK ? undefined : STOPPED.unchanged
  return back < MOST_BACK_UNSEEN ? undefined : STOPPED.unseen
}

const STOPPED = {
  unchanged: {
    en: `Its agents have handed it back ${MOST_BACK} times without changing a file. Read their handoffs (\`toryo task show\`), say who is to do what, then move the task back to in_progress.`,
    ja: `エージェントどうしがファイルを変更しないまま ${MOST_BACK} 回差し戻し合いました。引き継ぎの内容を確認し (\`toryo task show\`)、誰が何をするかを伝えてから、タスクを in_progress に戻してください。`,
  },
  unseen: {
    en: `Its agents have handed it back ${MOST_BACK_UNSEEN} times. Read their handoffs (\`toryo task show\`), say who is to do what, then move the task back to in_progress.`,
    ja: `エージェントどうしが ${MOST_BACK_UNSEEN} 回差し戻し合いました。引き継ぎの内容を確認し (\`toryo task show\`)、誰が何をするかを伝えてから、タスクを in_progress に戻してください。`,
  },
}

/** The sentence, in all languages, that was stored as the reason why a task is blocked; undefined for another's. */
export function whyStoppedAs(stored: string): Text | undefined {
  return Object.values(STOPPED).find(({ en }) => en === stored)
}
