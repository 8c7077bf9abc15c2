// The verbs on snapshots. A row is written with the report itself; the files are read after it, by the keeper.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import { SnapshotAsked, SnapshotTaken, TaskVerified } from '#contract/thread-events.ts'
import type { FlaggedFile, HeldFile, SnapshotCause } from '#contract/thread.ts'
import type { ProjectId, RunId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { Tx } from '#kernel/db/db.ts'
import { NOT_TAKEN, readAgain, type Snapshot } from './model.ts'
import type { MergeQueue, ThreadProjects, ThreadTasks, Writing } from './ports.ts'
import { awaits, isEarly } from './settling.ts'
import { SnapshotStore } from './snapshot-store.ts'
import { WorkspaceStore } from './workspace-store.ts'

export type Report = { runId: RunId | null; result: string; summary: string | null; cites: readonly string[] }
export type Taken = {
  commit: string
  tree: string
  baseCommit: string
  changedFiles: number
  held: readonly HeldFile[]
  flagged: readonly FlaggedFile[]
  authors: readonly string[]
}

type Deps = Writing & {
  projects: Pick<ThreadProjects, 'get'>
  tasks: ThreadTasks
  queue: MergeQueue
}

export class Snapshots {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  find(id: SnapshotId): Promise<Snapshot | undefined> {
    return new SnapshotStore(this.#deps.db).find(id)
  }

  current(taskId: TaskId): Promise<Snapshot | undefined> {
    return new SnapshotStore(this.#deps.db).current(taskId)
  }

  /** Newest first. */
  list(taskId: TaskId, limit: number): Promise<Snapshot[]> {
    return new SnapshotStore(this.#deps.db).list(taskId, limit)
  }

  listUnsettled(limit: number, after: string): Promise<Snapshot[]> {
    return new SnapshotStore(this.#deps.db).listUnsettled(limit, after)
  }

  /** In the transaction of the report. */
  reported(task: { id: TaskId; projectId: ProjectId }, report: Report, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { accept } = await this.#deps.projects.get(task.projectId)
      const snapshot = await this.#insert(tx, task, 'report', report, accept !== 'report')
      if (snapshot?.worktreeId === null) await this.verifyUnchecked(snapshot.id, by)
    })
  }

  /** The words of a run that had moved its task to done before it reported. */
  described(taskId: TaskId, { runId, summary, cites }: Omit<Report, 'result'>): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new SnapshotStore(tx)
      const snapshot = await store.current(taskId)
      if (snapshot?.cause !== 'report' || snapshot.runId !== runId || snapshot.summary !== null) return
      await store.save({ ...snapshot, summary, cites: [...cites] })
    })
  }

  /** Work that has no folder of its own cannot be checked; reviewers see that. False while its sub-tasks are open. */
  verifyUnchecked(id: SnapshotId, by: Caller): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const { tasks, events, clock } = this.#deps
      const store = new SnapshotStore(tx)
      const snapshot = await store.find(id)
      if (!snapshot || snapshot.settledAt !== null) return true
      const task = await tasks.find(snapshot.taskId)
      if (task && isEarly(task)) return false
      await store.save({ ...snapshot, settledAt: clock.now() })
      if (!task || !awaits(task) || snapshot.result !== 'success') return true
      await tasks.verify(task.id, by)
      await events.publish(tx, TaskVerified, { taskId: task.id, snapshotId: id }, by, task.projectId)
      return true
    })
  }

  /** Its agent has gone without a report: what lies there must not be lost. */
  ended(task: { id: TaskId; projectId: ProjectId }, runId: RunId | null): Promise<void> {
    return this.#deps.db.tx(async tx => {
      await this.#insert(tx, task, 'end', { runId, result: '', summary: null, cites: [] }, false)
    })
  }

  /** A person has moved it to done, and so accepted what lies in its workspace: it is taken, and merged as reported work is. */
  doneByHand(task: { id: TaskId; projectId: ProjectId }): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const said = { runId: null, result: 'success', summary: null, cites: [] }
      await this.#insert(tx, task, 'asked', said, false)
    })
  }

  /**
   * The same report, with another tree: files that are held back by rule come in, and what was changed since. Work that is blocked,
   * and that a person went on with, is reported work again.
   */
  include(taskId: TaskId, paths: readonly string[], by: Caller): Promise<Snapshot> {
    return this.#deps.db.tx(async tx => {
      const { tasks, ids, clock, events } = this.#deps
      const store = new SnapshotStore(tx)
      const task = await tasks.get(taskId, by)
      const current = await store.current(taskId)
      const isBlocked = task.status === 'blocked' && typeof current?.commit === 'string'
      if (!current?.worktreeId || task.facts.acceptedAt !== null || !(isBlocked || task.status === 'done'))
        throw ThreadError.NOTHING_TO_REVIEW({ handle: task.handle, stage: task.stage })
      const now = clock.now()
      await store.save({ ...current, settledAt: current.settledAt ?? now })
      const asked: Snapshot = {
        ...readAgain(current, ids.next('snp')),
        cause: 'asked',
        at: now,
        ...(isBlocked && { result: 'success' }),
        included: [...new Set([...current.included, ...paths])],
      }
      await store.insert(asked)
      await tasks.retake(taskId, by)
      await events.publish(tx, SnapshotAsked, { taskId, snapshotId: asked.id }, by, task.projectId)
      return asked
    })
  }

  taken(id: SnapshotId, made: Taken, by: Caller): Promise<Snapshot | undefined> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, tasks, queue } = this.#deps
      const store = new SnapshotStore(tx)
      const before = await store.find(id)
      if (!before || before.takenAt !== null) return before
      const now = clock.now()
      // Only what was reported as done is checked.
      const isOver = before.cause === 'end' || before.result !== 'success'
      const snapshot: Snapshot = { ...before, ...made, takenAt: now, error: null, settledAt: isOver ? now : null }
      await store.save(snapshot)
      const { taskId, cause, projectId } = snapshot
      const fact = { taskId, snapshotId: id, cause, commit: made.commit, changedFiles: made.changedFiles }
      await events.publish(tx, SnapshotTaken, fact, by, projectId)
      const task = isOver ? undefined : await tasks.find(taskId)
      const isAccepted = task?.status === 'done' && task.facts.acceptedAt !== null
      if (!isAccepted || (await store.current(taskId))?.id !== id) return snapshot
      // Accepted by the report itself, or by a person who did not wait for this.
      const accepted = { ...snapshot, settledAt: now }
      await store.save(accepted)
      if (made.changedFiles > 0) await queue.enqueue(accepted, by)
      return accepted
    })
  }

  /** The folder cannot be read: a person must look. */
  failed(id: SnapshotId, error: Text, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { clock, tasks } = this.#deps
      const store = new SnapshotStore(tx)
      const snapshot = await store.find(id)
      if (!snapshot || snapshot.settledAt !== null) return
      await store.save({ ...snapshot, error, settledAt: clock.now() })
      if (snapshot.cause === 'end' || (await store.current(snapshot.taskId))?.id !== id) return
      const task = await tasks.find(snapshot.taskId)
      // Reported, or moved there by a person: nothing of it was merged.
      if (task?.status === 'done') await tasks.block(task.id, { kind: 'unreadable', why: error }, by)
    })
  }

  /**
   * The tree changed before anything was checked: it is read again, into a snapshot of its own. What was taken stays as it is, since
   * a person may have seen it.
   */
  retake(id: SnapshotId, by: Caller): Promise<Snapshot | undefined> {
    return this.#deps.db.tx(async tx => {
      const { tasks, ids, clock } = this.#deps
      const store = new SnapshotStore(tx)
      const snapshot = await store.find(id)
      if (snapshot?.settledAt !== null || (await store.current(snapshot.taskId))?.id !== id) return undefined
      await store.save({ ...snapshot, settledAt: clock.now() })
      // The same report, at the same time.
      const again = readAgain(snapshot, ids.next('snp'))
      await store.insert(again)
      const task = await tasks.find(snapshot.taskId)
      if (task && task.facts.verifiedAt !== null) await tasks.unverify(task.id, by)
      return again
    })
  }

  /** Nothing is to be checked. What was accepted meanwhile goes into the queue. */
  settle(id: SnapshotId, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const { tasks, queue, clock } = this.#deps
      const store = new SnapshotStore(tx)
      const snapshot = await store.find(id)
      if (!snapshot || snapshot.settledAt !== null) return
      await store.save({ ...snapshot, settledAt: clock.now() })
      const task = await tasks.find(snapshot.taskId)
      const isAccepted = task?.status === 'done' && task.facts.acceptedAt !== null
      const isCurrent = (await store.current(snapshot.taskId))?.id === id
      if (isAccepted && isCurrent && (snapshot.changedFiles ?? 0) > 0) await queue.enqueue(snapshot, by)
    })
  }

  async #insert(
    tx: Tx,
    task: { id: TaskId; projectId: ProjectId },
    cause: SnapshotCause,
    { runId, result, summary, cites }: Report,
    evenWithoutFolder: boolean,
  ): Promise<Snapshot | undefined> {
    const { clock, ids } = this.#deps
    const store = new SnapshotStore(tx)
    const known = await new WorkspaceStore(tx).find(task.id)
    const workspace = known?.releasedAt === null ? known : undefined
    if (!workspace && !evenWithoutFolder) return undefined
    const now = clock.now()
    const snapshot: Snapshot = {
      ...NOT_TAKEN,
      id: ids.next('snp'),
      taskId: task.id,
      projectId: task.projectId,
      worktreeId: workspace?.worktreeId ?? null,
      cause,
      runId,
      result: result === '' ? null : result,
      summary,
      at: now,
      cites: [...cites],
      included: (await store.current(task.id))?.included ?? [],
    }
    await store.insert(snapshot)
    return snapshot
  }
}
