// The verbs on reviews by agents: asked for by a person or the project's policy, started by the keeper, ended with a verdict or
// without. No agent judges its own work, and none judges work that has changed since it was asked.
import { type Caller, callerName } from '#contract/caller.ts'
import { CoreError, type HubError, type Text } from '#contract/errors.ts'
import type { AgentId, ReviewId, RunId, TaskId } from '#contract/id-types.ts'
import type { Stage } from '#contract/projects.ts'
import type { Decision } from '#contract/thread.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { ReviewAsked, ReviewFailed, ReviewStarted } from '#contract/thread-events.ts'
import type { Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { AskedReviewStore } from './asked-review-store.ts'
import { type AskedReview, POLICY, type Snapshot, type Verdict } from './model.ts'
import type { Reviewers, ThreadProjects, ThreadTask, ThreadTasks, Writing } from './ports.ts'
import { ReviewStore } from './review-store.ts'
import type { CommentText, Reviews } from './reviews.ts'
import { SnapshotStore } from './snapshot-store.ts'
import { WorkspaceStore } from './workspace-store.ts'

type Deps = Writing & {
  projects: Pick<ThreadProjects, 'get'>
  tasks: ThreadTasks
  reviewers: Reviewers
  reviews: Pick<Reviews, 'give' | 'comment'>
}

export type Said = { decision: Decision; summary: string; comments: readonly CommentText[] }

export class AskedReviews {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  newest(taskId: TaskId): Promise<AskedReview | undefined> {
    return new AskedReviewStore(this.#deps.db).newest(taskId)
  }

  listOpen(): Promise<AskedReview[]> {
    return new AskedReviewStore(this.#deps.db).listOpen()
  }

  /** By a person. The same agent asked again while it is at it is the same review. */
  ask(taskId: TaskId, agentId: AgentId, by: Caller): Promise<AskedReview> {
    return this.#deps.db.tx(async tx => {
      const { tasks, clock, ids } = this.#deps
      const task = await tasks.get(taskId, by)
      const snapshot = await new SnapshotStore(tx).current(taskId)
      if (!isReviewable(task, snapshot))
        throw ThreadError.NOTHING_TO_REVIEW({ handle: task.handle, stage: stageOf(task, snapshot) })
      if (snapshot.worktreeId === null) throw ThreadError.NO_WORKSPACE({ handle: task.handle })
      const review: AskedReview = {
        ...newReview(task, snapshot, agentId),
        id: ids.next('rvw'),
        askedBy: callerName(by),
        at: clock.now(),
      }
      const refusal = await this.#refusal(review, task, snapshot)
      if (refusal) throw refusal
      const before = await new AskedReviewStore(tx).newest(taskId)
      if (before?.settledAt === null && before.snapshotId === snapshot.id) {
        if (before.agentId === agentId) return before
        throw ThreadError.REVIEW_UNDER_WAY({
          handle: task.handle,
          agent: await this.#deps.reviewers.nameOf(before.agentId),
        })
      }
      await insertReview(tx, this.#deps.events, review, by)
      return review
    })
  }

  /** Why no verdict of it would count; undefined while one would. */
  async whyNot(review: AskedReview): Promise<HubError | undefined> {
    const { db, tasks } = this.#deps
    const task = await tasks.find(review.taskId)
    const snapshot = await new SnapshotStore(db).current(review.taskId)
    if (!task || snapshot?.id !== review.snapshotId)
      return ThreadError.REVIEW_OUTDATED({ handle: task?.handle ?? review.taskId })
    if (!isReviewable(task, snapshot))
      return ThreadError.NOTHING_TO_REVIEW({ handle: task.handle, stage: stageOf(task, snapshot) })
    return this.#refusal(review, task, snapshot)
  }

  async #refusal(
    { taskId, agentId, askedBy, projectId }: AskedReview,
    { assigneeId, handle }: ThreadTask,
    { runId, authors }: Snapshot,
  ): Promise<HubError | undefined> {
    const { db, reviewers, projects } = this.#deps
    const why = await reviewers.whyNot(agentId, projectId)
    if (why) return ThreadError.REVIEWER_UNAVAILABLE({ agent: await reviewers.nameOf(agentId), why })
    const workspace = await new WorkspaceStore(db).find(taskId)
    const author = runId === null ? undefined : await reviewers.agentOf(runId)
    const names = [agentId, await reviewers.nameOf(agentId)].map(plain)
    // Whoever began it and handed it over may have written most of it.
    const hasWorked = await reviewers.hasWorkedOn(agentId, taskId, workspace?.madeAt ?? 0)
    if (agentId === assigneeId || agentId === author || hasWorked || authors.some(name => names.includes(plain(name))))
      return ThreadError.OWN_WORK({ handle })
    if (askedBy !== POLICY) return undefined
    const { accept, reviewerId } = await projects.get(projectId)
    if (accept === 'agent' && reviewerId === agentId) return undefined
    return ThreadError.REVIEWER_UNAVAILABLE({ agent: await reviewers.nameOf(agentId), why: 'replaced' })
  }

  /** In the transaction that makes its run. False when another caller was quicker, or it is not wanted any more. */
  start(id: ReviewId, start: () => Promise<RunId>, by: Caller): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const store = new AskedReviewStore(tx)
      const review = await store.find(id)
      if (review?.settledAt !== null || review.runId !== null || (await this.whyNot(review))) return false
      const runId = await start()
      await store.save({ ...review, runId })
      const { taskId, projectId } = review
      await this.#deps.events.publish(tx, ReviewStarted, { taskId, reviewId: id, runId }, by, projectId)
      return true
    })
  }

  /** Nothing more comes of it. `problem`: why it was not even started. */
  settle(id: ReviewId, problem: Text | null, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new AskedReviewStore(tx)
      const review = await store.find(id)
      if (review?.settledAt !== null) return
      await store.save({ ...review, problem, settledAt: this.#deps.clock.now() })
      const { taskId, projectId, runId } = review
      const refusal = problem ?? (runId === null ? UNWANTED : NO_VERDICT)
      const fact = { taskId, reviewId: id, reason: refusal.en, refusal }
      await this.#deps.events.publish(tx, ReviewFailed, fact, by, projectId)
    })
  }

  /** The verdict of the run that was started for it, and of no other. Said again, it is the same. */
  submit(runId: RunId, { decision, summary, comments }: Said, by: Caller): Promise<Verdict> {
    return this.#deps.db.tx(async tx => {
      const { tasks, reviews, reviewers, clock } = this.#deps
      const store = new AskedReviewStore(tx)
      const review = await store.findByRun(runId)
      if (!review) throw CoreError.NOT_ALLOWED({ what: NOT_A_REVIEW })
      const task = await tasks.get(review.taskId, by)
      const [given] = await new ReviewStore(tx).verdicts(task.id, 1)
      if (given && given.id === review.verdictId && given.decision === decision && given.summary === summary)
        return given
      const refusal = await this.whyNot(review)
      if (refusal) throw refusal
      const snapshot = await new SnapshotStore(tx).current(task.id)
      const author = `agent:${review.agentId}`
      for (const comment of comments) await reviews.comment(task.id, comment, by, author)
      const verdict = await reviews.give(tx, { task, snapshot, decision, summary, author }, by)
      await store.save({ ...review, verdictId: verdict.id, settledAt: clock.now() })
      await reviewers.done(runId, summary, by)
      return verdict
    })
  }
}

/** In the transaction that has verified the work: once for each snapshot. */
export async function askByPolicy(
  tx: Tx,
  { events, clock, ids }: Pick<Deps, 'events' | 'clock' | 'ids'>,
  task: ThreadTask,
  snapshot: Snapshot,
  agentId: AgentId,
  by: Caller,
): Promise<void> {
  if (await new AskedReviewStore(tx).hasAny(snapshot.id)) return
  const asked = { id: ids.next('rvw'), askedBy: POLICY, at: clock.now() }
  await insertReview(tx, events, { ...newReview(task, snapshot, agentId), ...asked }, by)
}

async function insertReview(tx: Tx, events: EventLog, review: AskedReview, by: Caller): Promise<void> {
  await new AskedReviewStore(tx).insert(review)
  const { id: reviewId, taskId, agentId, snapshotId, projectId } = review
  await events.publish(tx, ReviewAsked, { taskId, reviewId, agentId, snapshotId }, by, projectId)
}

function plain(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

function newReview({ id: taskId, projectId }: ThreadTask, { id: snapshotId }: Snapshot, agentId: AgentId) {
  return { taskId, projectId, snapshotId, agentId, runId: null, problem: null, verdictId: null, settledAt: null }
}

/** Verified, and not being checked again. What failed its checks is for people to accept. */
function isReviewable(task: ThreadTask, snapshot: Snapshot | undefined): snapshot is Snapshot {
  return task.stage === 'review' && snapshot !== undefined && snapshot.settledAt !== null
}

function stageOf({ stage }: ThreadTask, snapshot: Snapshot | undefined): Stage {
  return stage === 'review' && snapshot?.settledAt === null ? 'checking' : stage
}

const UNWANTED: Text = { en: 'not wanted any more', ja: '不要になったため' }
const NO_VERDICT: Text = { en: 'ended without a verdict', ja: '判定せずに終了' }

const NOT_A_REVIEW: Text = {
  en: 'Only a run that was started to review can give a verdict, and only on that work.',
  ja: '判定できるのはレビューのために起動された実行だけで、対象もその作業だけです。',
}
