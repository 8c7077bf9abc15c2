// What follows from the evidence on a snapshot: its task is verified and perhaps accepted, or goes back to its agent, or waits for a
// person.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import type { SnapshotId, TaskId } from '#contract/id-types.ts'
import { TaskReturned, TaskVerified, VerdictGiven } from '#contract/thread-events.ts'
import type { Rows, Tx } from '#kernel/db/db.ts'
import { askByPolicy } from './asked-reviews.ts'
import { EvidenceStore } from './evidence-store.ts'
import {
  type Evidence,
  evidenceFor,
  isTooMany,
  type PlannedCheck,
  POLICY,
  type Snapshot,
  type Verdict,
} from './model.ts'
import type { MergeQueue, ThreadProjects, ThreadTask, ThreadTasks, Writing } from './ports.ts'
import { ReviewStore } from './review-store.ts'
import { SnapshotStore } from './snapshot-store.ts'

type Deps = Writing & {
  projects: Pick<ThreadProjects, 'get'>
  tasks: ThreadTasks
  queue: MergeQueue
}

const PAGE = 50

export class Settling {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** All that may run has run. `plan`: with what was not run, since no person has trusted it. `flagged`: as these checks see it. */
  decide(id: SnapshotId, plan: readonly PlannedCheck[], flagged: Snapshot['flagged'], by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { clock, tasks } = this.#deps
      const store = new SnapshotStore(tx)
      const found = await store.find(id)
      if (!found?.tree || found.settledAt !== null) return
      const snapshot = { ...found, flagged }
      const task = await tasks.find(snapshot.taskId)
      const isCurrent = (await store.current(snapshot.taskId))?.id === id
      await store.save({ ...snapshot, settledAt: clock.now() })
      if (!isCurrent || !task || !awaits(task)) return
      const known = await new EvidenceStore(tx).ofSnapshot(id)
      const trusted = plan.filter(check => check.trusted)
      const ran = evidenceFor(trusted, known, found.tree).filter(({ check }) => check.required)
      const failed = ran.flatMap(({ evidence }) => (evidence && evidence.outcome !== 'passed' ? [evidence] : []))
      if (failed.length > 0) return this.#giveBack(tx, task, snapshot, failed, by)
      await this.#verify(tx, task, snapshot, by)
      const { accept, reviewerId } = await this.#deps.projects.get(task.projectId)
      const isWhole = plan.every(check => check.trusted || !check.required)
      // Where nothing was required, nothing was proved: a person decides.
      const isProved = ran.some(({ evidence }) => evidence?.outcome === 'passed')
      // Its own change may be why they passed.
      const isTouched = flagged.some(({ why }) => why === 'check')
      if (accept === 'checks' && isWhole && isProved && !isTouched)
        await this.accept(tx, task, snapshot, POLICY, null, by)
      if (accept === 'agent' && isWhole && reviewerId !== null)
        await askByPolicy(tx, this.#deps, task, snapshot, reviewerId, by)
    })
  }

  /** Accepted by a caller that may: the verdict, the fact, and its place in the queue. */
  async accept(
    tx: Tx,
    task: ThreadTask,
    snapshot: Snapshot | undefined,
    author: string,
    summary: string | null,
    by: Caller,
  ): Promise<Verdict> {
    const { clock, ids, events, tasks, queue } = this.#deps
    const now = clock.now()
    const verdict: Verdict = {
      id: ids.next('vrd'),
      taskId: task.id,
      snapshotId: snapshot?.id ?? null,
      commit: snapshot?.commit ?? null,
      decision: 'accept',
      summary,
      author,
      at: now,
    }
    await new ReviewStore(tx).insertVerdict(verdict)
    await tasks.accept(task.id, by)
    const fact = { taskId: task.id, verdictId: verdict.id, decision: verdict.decision }
    await events.publish(tx, VerdictGiven, fact, by, task.projectId)
    if (!snapshot) return verdict
    await new SnapshotStore(tx).save({ ...snapshot, settledAt: snapshot.settledAt ?? now })
    if (snapshot.commit !== null && (snapshot.changedFiles ?? 0) > 0) await queue.enqueue(snapshot, by)
    return verdict
  }

  /** The sentence, in all languages, that was stored as the reason why a task is blocked; undefined for another's. */
  async whyBlocked(id: TaskId, stored: string): Promise<Text | undefined> {
    const { db } = this.#deps
    const snapshot = await new SnapshotStore(db).current(id)
    if (!snapshot) return undefined
    const count = await failuresInARow(db, { id })
    const evidence = await new EvidenceStore(db).ofSnapshot(snapshot.id)
    const known = evidence.flatMap(one => [whyNotStarted(one), whyGivenUp(one, count)])
    known.push(whyReviewedTooOften(await new ReviewStore(db).changesByAgents(id)))
    if (snapshot.error !== null) known.push(whyNotTaken(snapshot.error))
    return known.find(({ en }) => en === stored)
  }

  async #verify(tx: Tx, task: ThreadTask, snapshot: Snapshot, by: Caller): Promise<void> {
    if (task.facts.verifiedAt !== null) return
    await this.#deps.tasks.verify(task.id, by)
    const fact = { taskId: task.id, snapshotId: snapshot.id }
    await this.#deps.events.publish(tx, TaskVerified, fact, by, task.projectId)
  }

  async #giveBack(tx: Tx, task: ThreadTask, snapshot: Snapshot, failed: Evidence[], by: Caller): Promise<void> {
    const { tasks, events } = this.#deps
    const unable = failed.find(({ outcome }) => outcome === 'not_started')
    if (unable) return tasks.block(task.id, whyNotStarted(unable).en, by)
    const count = await failuresInARow(tx, task)
    if (isTooMany(count)) return tasks.block(task.id, whyGivenUp(failed[0] as Evidence, count).en, by)
    await tasks.giveBack(task.id, by)
    const fact = { taskId: task.id, why: 'checks' as const, count }
    await events.publish(tx, TaskReturned, fact, by, snapshot.projectId)
  }
}

/** Its work is reported, and it has not been accepted. */
export function awaits({ status, facts }: ThreadTask): boolean {
  return status === 'done' && facts.reportedAt !== null && facts.acceptedAt === null
}

/** Reported while sub-tasks are open: it is done when the last of them is. */
export function isEarly({ status, facts }: ThreadTask): boolean {
  return status === 'in_progress' && facts.reportedAt !== null
}

/** Reports of this task that failed their checks, up to the newest that did not. */
async function failuresInARow(tx: Rows, task: Pick<ThreadTask, 'id'>): Promise<number> {
  const evidence = new EvidenceStore(tx)
  let count = 0
  for (let newer: Snapshot | undefined; ; ) {
    const page = await new SnapshotStore(tx).reports(task.id, PAGE, newer?.id)
    for (const snapshot of page) {
      const isCounted = newer !== undefined && isSameReport(snapshot, newer)
      newer = snapshot
      if (isCounted) continue
      const ran = await evidence.ofSnapshot(snapshot.id)
      if (!ran.some(one => one.required && FAILURES.includes(one.outcome))) return count
      count++
    }
    if (page.length < PAGE) return count
  }
}

/** Taken again, or with files that a person let in. */
function isSameReport(older: Snapshot, newer: Snapshot): boolean {
  return older.runId === newer.runId && (older.at === newer.at || newer.cause === 'asked')
}

const FAILURES: readonly Evidence['outcome'][] = ['failed', 'timed_out', 'stale']

function whyNotStarted({ name, tail, id }: Evidence): Text {
  const why = tail.trimEnd().replace(/\.$/, '')
  return {
    en: `Check ${name} could not be started: ${why}. Fix it (\`toryo run show ${id}\`), then move the task back to in_progress.`,
    ja: `チェック ${name} を開始できませんでした: ${why}。原因を直し (\`toryo run show ${id}\`)、タスクを in_progress に戻してください。`,
  }
}

function whyGivenUp({ name, outcome, exitCode, id }: Evidence, count: number): Text {
  const how =
    outcome === 'failed'
      ? { en: `exit code ${exitCode ?? 'unknown'}`, ja: `終了コード ${exitCode ?? '不明'}` }
      : outcome === 'stale'
        ? { en: 'it changed files', ja: 'ファイルの変更' }
        : { en: 'it took too long', ja: '時間切れ' }
  return {
    en: `Check ${name} failed ${count} times in a row, the last time with ${how.en}. \`toryo run logs ${id}\` shows what it wrote. Fix the cause, then move the task back to in_progress.`,
    ja: `チェック ${name} が ${count} 回続けて失敗しました (最後: ${how.ja})。出力は \`toryo run logs ${id}\` で確認できます。原因を直してから、タスクを in_progress に戻してください。`,
  }
}

/** Of agents that review, and an agent that does not satisfy them. */
export function whyReviewedTooOften(count: number): Text {
  return {
    en: `Agents that review wanted changes ${count} times in a row. Look at the work and their comments (\`toryo task review\`), then accept it, or move the task back to in_progress.`,
    ja: `レビューのエージェントが ${count} 回続けて差し戻しました。作業とコメントを確認し (\`toryo task review\`)、承認するか、タスクを in_progress に戻してください。`,
  }
}

export function whyNotTaken(error: string): Text {
  return {
    en: `Its work was reported, but the workspace could not be read: ${error} Restore the folder, or move the task back to in_progress to have it done again.`,
    ja: `作業は報告されましたが、ワークスペースを読み取れませんでした: ${error} フォルダーを復元するか、タスクを in_progress に戻してやり直してください。`,
  }
}
