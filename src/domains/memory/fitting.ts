// What an agent should know of earlier decisions when it begins a task: agents do not look on their own.
import type { FittingDecision } from '#contract/memory.ts'
import { iso } from '#kernel/clock.ts'
import type { Decision } from './model.ts'
import type { Recall } from './recall.ts'

const BYTES = 2_000
const DESCRIPTION = 1_000
const LONGEST = 600
const CONSIDERED = 20

/** Decisions that still stand and fit the text, best first, in at most 2 kB as JSON. `own`: those that name the task come before. */
export async function fittingDecisions(
  recall: Recall,
  project: number,
  task: { title: string; description: string },
  paths: (topicIds: readonly number[]) => Promise<Map<number, string>>,
  own: readonly Decision[] = [],
): Promise<FittingDecision[]> {
  const text = `${task.title}\n${task.description.slice(0, DESCRIPTION)}`
  const { hits } = await recall.find({
    project,
    queries: [text],
    kinds: ['decision'],
    limit: CONSIDERED,
    wordsOnly: true,
  })
  const named = new Set(own.map(({ id }) => id))
  const found = hits.flatMap(({ decision, supersededBy }) => (decision && supersededBy === null ? decision : []))
  const standing = [...own, ...found.filter(({ id }) => !named.has(id))]
  const topics = await paths(standing.flatMap(({ topicId }) => topicId ?? []))
  const chosen: FittingDecision[] = []
  let bytes = 2
  for (const decision of standing) {
    const told = {
      decision_id: decision.id,
      topic: decision.topicId === null ? null : shortened(topics.get(decision.topicId) ?? '', 100),
      decision: shortened(decision.decision, LONGEST),
      reason: shortened(decision.reason, LONGEST / 2),
      decided_at: iso(decision.createdAt),
    }
    const size = Buffer.byteLength(JSON.stringify(told)) + 1
    // A long one must not keep a short one out.
    if (bytes + size > BYTES) continue
    bytes += size
    chosen.push(told)
  }
  return chosen
}

/** By bytes, since Japanese takes three for a character. */
function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let kept = ''
  let size = 3
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    kept += character
  }
  return `${kept}…`
}
