import { type Selectable, sql } from 'kysely'
import type { MergeId, ProjectId, SnapshotId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { MergeMethod } from '#contract/projects.ts'
import type { MergeKind, MergeOutcome } from '#contract/thread.ts'
import type { Blocked, MergeNeeds } from '#contract/why.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Details, Merge } from './merge-model.ts'
import type { ThreadTables } from './schema.ts'

export type MergeFilter = { projectId?: ProjectId | undefined; taskId?: TaskId | undefined; ended?: boolean }

/** What is asked of the rows of others. */
type Others = {
  tasks: {
    id: TaskId
    status: string
    accepted_at: number | null
    queued_at: number | null
    merged_at: number | null
  }
  worktrees: { id: WorktreeId; home: string }
}

/** Nothing was tried for its task since. */
const IS_LAST = sql<boolean>`NOT EXISTS (SELECT 1 FROM merges AS later
  WHERE later.task_id = merges.task_id AND later.queued_at > merges.queued_at)`

export class MergeStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables & Others>()
  }

  async find(id: MergeId): Promise<Merge | undefined> {
    const row = await this.#q.selectFrom('merges').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toMerge(row)
  }

  async insert(merge: Merge): Promise<void> {
    await this.#q
      .insertInto('merges')
      .values({ ...toRow(merge), owner: null, held_until: null, retired_at: null })
      .execute()
  }

  async save(merge: Merge): Promise<void> {
    await this.#q.updateTable('merges').set(toRow(merge)).where('id', '=', merge.id).execute()
  }

  /** In the order of the queue; ended ones newest first. */
  async list({ projectId, taskId, ended = false }: MergeFilter, limit: number): Promise<Merge[]> {
    let query = this.#q.selectFrom('merges').selectAll()
    query = query.where('ended_at', ended ? 'is not' : 'is', null)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    if (taskId !== undefined) query = query.where('task_id', '=', taskId)
    const order = ended ? 'desc' : 'asc'
    const rows = await query.orderBy('queued_at', order).orderBy('id', order).limit(limit).execute()
    return rows.map(toMerge)
  }

  /** Did not merge, newest first: the last entries of tasks whose work has not been accepted since. */
  async returned({ projectId, taskId }: MergeFilter, limit: number): Promise<Merge[]> {
    let query = this.#q
      .selectFrom('merges')
      .innerJoin('tasks', 'tasks.id', 'merges.task_id')
      .selectAll('merges')
      .where('merges.kind', '=', 'merge')
      .where('merges.outcome', 'in', ['conflict', 'failed'])
      .where('tasks.accepted_at', 'is', null)
      .where('tasks.status', '<>', 'cancelled')
      .where(IS_LAST)
    if (projectId !== undefined) query = query.where('merges.project_id', '=', projectId)
    if (taskId !== undefined) query = query.where('merges.task_id', '=', taskId)
    return (await query.orderBy('merges.ended_at', 'desc').limit(limit).execute()).map(toMerge)
  }

  /** Merged into the same base by others, after this one's work began. */
  async mergedMeanwhile(merge: Merge, limit: number): Promise<Merge[]> {
    const began = await this.workspaceOf(merge.taskId)
    if (!began || merge.endedAt === null) return []
    const rows = await this.#q
      .selectFrom('merges')
      .selectAll()
      .where('repository', '=', merge.repository)
      .where('base_ref', '=', merge.baseRef)
      .where('outcome', '=', 'merged')
      .where('task_id', '!=', merge.taskId)
      .where('ended_at', '>=', Number(began.made_at))
      .where('ended_at', '<=', merge.endedAt)
      // Of the same moment: the queue takes one after the other, in this order.
      .where(eb => eb.or([eb('ended_at', '<', Number(merge.endedAt)), eb('id', '<', merge.id)]))
      .orderBy('ended_at', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toMerge)
  }

  async findOpen(taskId: TaskId): Promise<Merge | undefined> {
    return (await this.list({ taskId }, 1))[0]
  }

  /** The newest entry of a task, ended or not. */
  async findLatest(taskId: TaskId): Promise<Merge | undefined> {
    const query = this.#q.selectFrom('merges').selectAll().where('task_id', '=', taskId)
    const row = await query.orderBy('queued_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return row && toMerge(row)
  }

  /** The newest that moved a base: a merge of the task, or one that took it back. */
  async lastMerged(taskId: TaskId): Promise<Merge | undefined> {
    const ended = this.#q.selectFrom('merges').selectAll().where('task_id', '=', taskId)
    const query = ended.where('outcome', '=', 'merged').orderBy('ended_at', 'desc').orderBy('id', 'desc')
    const row = await query.limit(1).executeTakeFirst()
    return row && toMerge(row)
  }

  /** Did not go through, and nothing was tried for the task since. Newest first. */
  async undoneInVain({ projectId }: MergeFilter, since: number, limit: number): Promise<Merge[]> {
    let query = this.#q
      .selectFrom('merges')
      .selectAll('merges')
      .where('merges.kind', '!=', 'merge')
      .where('merges.outcome', 'in', ['conflict', 'failed', 'withdrawn'])
      .where('merges.ended_at', '>=', since)
      .where(IS_LAST)
    if (projectId !== undefined) query = query.where('merges.project_id', '=', projectId)
    const found = (await query.orderBy('merges.ended_at', 'desc').limit(limit).execute()).map(toMerge)
    // Taken out since the task was opened again: a person did that.
    return found.filter(({ outcome, details }) => outcome !== 'withdrawn' || details.lacks !== undefined)
  }

  /** True when it is this owner's now. Times are the hubs' own. */
  async claim(id: MergeId, owner: string, now: number, until: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#q
      .updateTable('merges')
      .set({ owner, held_until: until })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where(eb => eb.or([eb('owner', 'is', null), eb('owner', '=', owner), eb('held_until', '<', now)]))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  /** False when another has taken it over, or when it was taken out. */
  async isHeld(id: MergeId, owner: string): Promise<boolean> {
    const query = this.#q.selectFrom('merges').select('id').where('id', '=', id).where('owner', '=', owner)
    return (await query.where('ended_at', 'is', null).executeTakeFirst()) !== undefined
  }

  /** By whichever hub: it is being merged. Times are the hubs' own. */
  async isClaimed(id: MergeId, now: number): Promise<boolean> {
    const query = this.#q.selectFrom('merges').select('id').where('id', '=', id).where('held_until', '>', now)
    return (await query.where('ended_at', 'is', null).executeTakeFirst()) !== undefined
  }

  async release(owner: string, id?: MergeId): Promise<void> {
    let query = this.#q.updateTable('merges').set({ owner: null, held_until: null }).where('owner', '=', owner)
    if (id !== undefined) query = query.where('id', '=', id)
    await query.execute()
  }

  async workspaceOf(taskId: TaskId): Promise<Selectable<ThreadTables['workspaces']> | undefined> {
    return this.#q.selectFrom('workspaces').selectAll().where('task_id', '=', taskId).executeTakeFirst()
  }

  /**
   * The snapshot that was accepted: by the last verdict, or without one, as policy or a person who moved the task have it. What lay
   * there when an agent went is not a report.
   */
  async acceptedOf(taskId: TaskId): Promise<SnapshotId | undefined> {
    const verdict = await this.#q
      .selectFrom('verdicts')
      .select(['snapshot_id', 'at'])
      .where('task_id', '=', taskId)
      .where('decision', '=', 'accept')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const reported = await this.#q
      .selectFrom('snapshots')
      .select(['id', 'at'])
      .where('task_id', '=', taskId)
      .where('cause', 'in', ['report', 'asked'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const isJudged = verdict?.snapshot_id && (!reported || Number(verdict.at) >= Number(reported.at))
    return isJudged ? (verdict.snapshot_id ?? undefined) : reported?.id
  }

  async snapshotOf({
    snapshotId,
  }: Pick<Merge, 'snapshotId'>): Promise<Selectable<ThreadTables['snapshots']> | undefined> {
    return this.#q.selectFrom('snapshots').selectAll().where('id', '=', snapshotId).executeTakeFirst()
  }

  /**
   * Tasks whose workspace in this home is no longer needed: merged since it was made, cancelled, or accepted without a change.
   * Nothing in it is still to be read.
   */
  async listUnreleased(home: string, taskId?: TaskId): Promise<TaskId[]> {
    let query = this.#q
      .selectFrom('workspaces')
      .innerJoin('worktrees', 'worktrees.id', 'workspaces.worktree_id')
      .innerJoin('tasks', 'tasks.id', 'workspaces.task_id')
      .select('workspaces.task_id')
      .where('workspaces.released_at', 'is', null)
      .where('worktrees.home', '=', home)
      .where(eb =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('snapshots')
              .select('snapshots.id')
              .whereRef('snapshots.task_id', '=', 'workspaces.task_id')
              .where('snapshots.settled_at', 'is', null),
          ),
        ),
      )
      .where(eb => {
        const merged = eb
          .selectFrom('merges')
          .select('merges.id')
          .whereRef('merges.task_id', '=', 'workspaces.task_id')
          .where('merges.outcome', '=', 'merged')
          .whereRef('merges.ended_at', '>=', 'workspaces.made_at')
        const newest = eb
          .selectFrom('snapshots as newer')
          .select(one => one.fn.max('newer.id').as('id'))
          .whereRef('newer.task_id', '=', 'workspaces.task_id')
        const unchanged = eb
          .selectFrom('snapshots as last')
          .select('last.id')
          .whereRef('last.task_id', '=', 'workspaces.task_id')
          .where('last.changed_files', '=', 0)
          .where('last.id', '=', newest)
        const isDone = eb('tasks.status', '=', 'done')
        // What it has is in the history of the base: to go on from it would merge nothing.
        const undone = eb
          .selectFrom('merges as undo')
          .select('undo.id')
          .whereRef('undo.task_id', '=', 'workspaces.task_id')
          .where('undo.kind', '=', 'undo')
          .where('undo.outcome', '=', 'merged')
          .whereRef('undo.ended_at', '>=', 'workspaces.made_at')
        return eb.or([
          eb('tasks.status', '=', 'cancelled'),
          eb.exists(undone),
          eb.and([isDone, eb('tasks.merged_at', 'is not', null), eb.exists(merged)]),
          eb.and([
            isDone,
            eb('tasks.accepted_at', 'is not', null),
            eb('tasks.queued_at', 'is', null),
            eb.exists(unchanged),
          ]),
        ])
      })
    if (taskId !== undefined) query = query.where('workspaces.task_id', '=', taskId)
    return (await query.orderBy('workspaces.task_id').execute()).map(({ task_id }) => task_id)
  }

  /**
   * Rows came from another database: what waits there is merged there, or asked for again. Their tasks wait for a person, who is told
   * why: accepted and not merged, they would pass for done. A merge that was to be undone is still there.
   */
  async withdrawAll(at: number, why: Blocked): Promise<void> {
    const merges = this.#q.selectFrom('merges').select('task_id').where('kind', '=', 'merge')
    const open = merges.where('ended_at', 'is', null)
    const undecided = { reported_at: null, verified_at: null, accepted_at: null, queued_at: null }
    const facts = { blocked_reason: null, blocked_facts: JSON.stringify(why) }
    const blocked = { ...undecided, ...facts, status: 'blocked', for_people: 1 } as const
    await this.#q.updateTable('tasks').set(blocked).where('id', 'in', open).where('status', '=', 'done').execute()
    const ended = { ended_at: at, outcome: 'withdrawn', waits: null, owner: null, held_until: null }
    await this.#q.updateTable('merges').set(ended).where('ended_at', 'is', null).execute()
  }

  /** Merged, with branches of this home that may still be there. */
  async listUnretired(home: string, limit: number): Promise<(Merge & { branch: string; head: string })[]> {
    const rows = await this.#q
      .selectFrom('merges')
      .innerJoin('workspaces', 'workspaces.task_id', 'merges.task_id')
      .innerJoin('worktrees', 'worktrees.id', 'workspaces.worktree_id')
      .innerJoin('snapshots', 'snapshots.id', 'merges.snapshot_id')
      .selectAll('merges')
      .select(['workspaces.branch', 'snapshots.commit_id as head'])
      .where('worktrees.home', '=', home)
      .where('merges.kind', '=', 'merge')
      .where('merges.outcome', '=', 'merged')
      .where('merges.retired_at', 'is', null)
      .where('workspaces.released_at', 'is not', null)
      .limit(limit)
      .execute()
    return rows.map(row => ({ ...toMerge(row), branch: row.branch, head: row.head ?? '' }))
  }

  async retire(id: MergeId, at: number): Promise<void> {
    await this.#q.updateTable('merges').set({ retired_at: at }).where('id', '=', id).execute()
  }
}

function toMerge(row: Selectable<ThreadTables['merges']>): Merge {
  return {
    id: row.id,
    kind: row.kind as MergeKind,
    undoes: row.undoes,
    taskId: row.task_id,
    projectId: row.project_id,
    snapshotId: row.snapshot_id,
    repository: row.repository,
    baseRef: row.base_ref,
    method: row.method as MergeMethod,
    queuedAt: Number(row.queued_at),
    baseBefore: row.base_before,
    commit: row.commit_id,
    tree: row.tree,
    waits: row.waits === null ? null : (JSON.parse(row.waits) as MergeNeeds),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    outcome: row.outcome as MergeOutcome | null,
    details: row.details === null ? {} : (JSON.parse(row.details) as Details),
  }
}

function toRow(merge: Merge) {
  return {
    id: merge.id,
    kind: merge.kind,
    undoes: merge.undoes,
    task_id: merge.taskId,
    project_id: merge.projectId,
    snapshot_id: merge.snapshotId,
    repository: merge.repository,
    base_ref: merge.baseRef,
    method: merge.method,
    queued_at: merge.queuedAt,
    base_before: merge.baseBefore,
    commit_id: merge.commit,
    tree: merge.tree,
    waits: merge.waits && JSON.stringify(merge.waits),
    ended_at: merge.endedAt,
    outcome: merge.outcome,
    details: JSON.stringify(merge.details),
  }
}
