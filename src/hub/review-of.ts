// The newest review of a task's work by an agent, as people see it: its state, and why there will be no verdict.
import type { Lang, Text } from '#contract/errors.ts'
import type { TaskId } from '#contract/id-types.ts'
import { whatHappened } from '#contract/run-end-text.ts'
import { runEnd } from '#contract/run-end.ts'
import type { ReviewView } from '#contract/thread.ts'
import type { CrewRun } from '#domains/runs/model.ts'
import type { AskedReview } from '#domains/thread/model.ts'
import { iso } from '#kernel/clock.ts'
import type { Services } from './services.ts'

type Needs = Pick<Services, 'askedReviews' | 'snapshots' | 'crewRuns' | 'tasks'>

/** Null where there was none of the work as it is now. */
export async function reviewOf(services: Needs, taskId: TaskId, lang: Lang): Promise<ReviewView | null> {
  const { askedReviews, snapshots, crewRuns, tasks } = services
  const review = await askedReviews.newest(taskId)
  if (!review || (await snapshots.current(taskId))?.id !== review.snapshotId) return null
  const run = review.runId === null ? undefined : await crewRuns.find(review.runId)
  const state = stateOf(review, run)
  const task = await tasks.find(taskId)
  const isOpen = task?.status === 'done' && task.facts.acceptedAt === null
  const problem = state === 'ended' && isOpen ? whyNone(review, run, task.handle) : undefined
  return {
    review_id: review.id,
    task_id: taskId,
    snapshot_id: review.snapshotId,
    agent_id: review.agentId,
    asked_by: review.askedBy,
    asked_at: iso(review.at),
    run_id: review.runId,
    state,
    problem: problem?.[lang] ?? null,
  }
}

function stateOf({ verdictId, runId, settledAt }: AskedReview, run: CrewRun | undefined): ReviewView['state'] {
  if (verdictId !== null) return 'given'
  if (runId === null) return settledAt === null ? 'waiting' : 'ended'
  return run && run.endedAt === null ? 'running' : 'ended'
}

function whyNone({ agentId, problem }: AskedReview, run: CrewRun | undefined, handle: string): Text {
  const next = {
    en: `Review it yourself (\`toryo task review ${handle}\`), or ask an agent again: \`toryo task review ${handle} --by ${agentId}\`.`,
    ja: `ご自身でレビューするか (\`toryo task review ${handle}\`)、もう一度エージェントに依頼してください: \`toryo task review ${handle} --by ${agentId}\``,
  }
  if (problem) return { en: `${problem.en} ${next.en}`, ja: `${problem.ja}${next.ja}` }
  const end = whatHappened(run?.end ?? runEnd('unknown'))
  const logs = run ? ` (\`toryo run logs ${run.id}\`)` : ''
  return {
    en: `${agentId} ended without a verdict: ${end.en}${logs}. ${next.en}`,
    ja: `${agentId} は判定せずに終了しました: ${end.ja}${logs}。${next.ja}`,
  }
}
