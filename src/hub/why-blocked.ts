// Why the hub blocked a task, in all languages: the task keeps the English sentence alone.
import type { Text } from '#contract/errors.ts'
import { whyStoppedAs } from '#domains/projects/handed-back.ts'
import type { Task } from '#domains/projects/model.ts'
import type { TaskRun } from '#domains/runs/model.ts'
import { withRun } from '#domains/runs/task-run-views.ts'
import type { Evidence } from '#domains/thread/model.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'
import { whyGivenUp } from './workflows/lost-instance.ts'

type Needs = Pick<Services, 'settling' | 'merges' | 'snapshots' | 'evidence'>
/** `check`: the one that failed last. Without a reason it was an agent or a person. */
type Why = { reason?: Text; check?: Evidence | undefined }

/** `last`: its newest run. */
export async function whyBlocked(services: Needs, task: Task, last: TaskRun | undefined): Promise<Why> {
  const { settling, merges, snapshots, evidence } = services
  const { id, blockedReason: stored } = task
  if (stored === null) return {}
  const byHandoffs = whyStoppedAs(stored)
  if (byHandoffs) return { reason: byHandoffs }
  const byChecks = await settling.whyBlocked(id, stored)
  if (byChecks) {
    const snapshot = await snapshots.current(id)
    return { reason: byChecks, check: lastFailed(snapshot ? await evidence.ofSnapshot(snapshot.id) : []) }
  }
  const byMerge = await merges.whyBlocked(id, stored, HUB)
  if (byMerge) {
    const merge = await merges.newest(id, HUB, 'en')
    return { reason: byMerge, check: lastFailed(merge ? await evidence.ofMerge(merge.merge_id) : []) }
  }
  const end = last?.end && whyGivenUp(last.end)
  if (!last || !end || stored !== end.en) return {}
  return { reason: { en: withRun(end.en, last.id), ja: withRun(end.ja, last.id) } }
}

function lastFailed(evidence: readonly Evidence[]): Evidence | undefined {
  return evidence.findLast(({ required, outcome }) => required && outcome !== null && outcome !== 'passed')
}
