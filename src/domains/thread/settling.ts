// What follows from the evidence on a snapshot: its task is verified and perhaps accepted, or goes back to its agent, or waits for a
// person.
import type { Caller } from '#contract/caller.ts'
import type { SnapshotId } from '#contract/id-types.ts'
import { TaskReturned, TaskVerified, VerdictGiven } from '#contract/thread-events.ts'
import type { Blocked } from '#contract/why.ts'
import type { Rows, Tx } from '#kernel/db/db.ts'
import { askByPolicy } from './asked-reviews.ts'
import { CheckStore } from './check-store.ts'
import { EvidenceStore } from './evidence-store.ts'
import {
  type Check,
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
      // Another check was added meanwhile: it is looked at again with that.
      if (!isWholePlan(plan, await new CheckStore(tx).list(found.projectId))) return
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

  async #verify(tx: Tx, task: ThreadTask, snapshot: Snapshot, by: Caller): Promise<void> {
    if (task.facts.verifiedAt !== null) return
    await this.#deps.tasks.verify(task.id, by)
    const fact = { taskId: task.id, snapshotId: snapshot.id }
    await this.#deps.events.publish(tx, TaskVerified, fact, by, task.projectId)
  }

  async #giveBack(tx: Tx, task: ThreadTask, snapshot: Snapshot, failed: Evidence[], by: Caller): Promise<void> {
    const { tasks, events } = this.#deps
    const unable = failed.find(({ outcome }) => outcome === 'not_started')
    if (unable) return tasks.block(task.id, notStarted(task, unable), by)
    const count = await failuresInARow(tx, task)
    if (isTooMany(count)) return tasks.block(task.id, givenUp(task, failed[0] as Evidence, count), by)
    // After the fourth failure a person has looked, and perhaps changed what is around the files.
    const again = isTooMany(count - 1) ? undefined : await failedBefore(tx, snapshot, failed)
    if (again) return tasks.block(task.id, { kind: 'check-unchanged', ...checkOf(task, again) }, by)
    await tasks.giveBack(task.id, by)
    const fact = { taskId: task.id, why: 'checks' as const, count }
    await events.publish(tx, TaskReturned, fact, by, snapshot.projectId)
  }
}

function isWholePlan(plan: readonly PlannedCheck[], stored: readonly Check[]): boolean {
  const isIn = ({ name, command }: Check) =>
    plan.some(one => one.name === name && (!one.trusted || one.command.join('\0') === command.join('\0')))
  return stored.every(isIn)
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

/** The check that failed for the report before, too, and on the very same files: it would not end otherwise a third time. */
async function failedBefore(tx: Rows, snapshot: Snapshot, failed: readonly Evidence[]): Promise<Evidence | undefined> {
  const reports = await new SnapshotStore(tx).reports(snapshot.taskId, PAGE, snapshot.id)
  let newer = snapshot
  const before = reports.find(one => {
    const isSame = isSameReport(one, newer)
    newer = one
    return !isSame
  })
  if (!before || before.tree !== snapshot.tree) return undefined
  const ran = await new EvidenceStore(tx).ofSnapshot(before.id)
  const isSame = (one: Evidence, other: Evidence) =>
    one.name === other.name && one.outcome === other.outcome && one.command.join('\0') === other.command.join('\0')
  return failed.find(one => ran.some(other => isSame(one, other)))
}

/** Taken again, or with files that a person let in. */
function isSameReport(older: Snapshot, newer: Snapshot): boolean {
  return older.runId === newer.runId && (older.at === newer.at || newer.cause === 'asked')
}

const FAILURES: readonly Evidence['outcome'][] = ['failed', 'timed_out', 'stale']

function checkOf({ handle }: ThreadTask, { id, name }: Evidence) {
  return { handle, check: name, evidence: id }
}

function notStarted(task: ThreadTask, evidence: Evidence): Blocked {
  return { kind: 'check-not-started', ...checkOf(task, evidence), remark: evidence.remark }
}

function givenUp(task: ThreadTask, evidence: Evidence, count: number): Blocked {
  const { exitCode } = evidence
  const outcome = evidence.outcome === 'stale' || evidence.outcome === 'failed' ? evidence.outcome : 'timed_out'
  return { kind: 'check-failed', ...checkOf(task, evidence), count, exitCode, outcome }
}
