import type { Selectable } from 'kysely'
import type { PullId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Pull } from './pull-model.ts'
import type { ThreadTables } from './schema.ts'

/** What is asked of the rows of others. */
type Others = { worktrees: { id: WorktreeId; home: string } }

export class PullStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables & Others>()
  }

  async find(id: PullId): Promise<Pull | undefined> {
    const row = await this.#q.selectFrom('pulls').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toPull(row)
  }

  async newest(taskId: TaskId): Promise<Pull | undefined> {
    const query = this.#q.selectFrom('pulls').selectAll().where('task_id', '=', taskId)
    const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
    return row && toPull(row)
  }

  /** At most one of a task. */
  async findOpen(taskId: TaskId): Promise<Pull | undefined> {
    const newest = await this.newest(taskId)
    return newest?.endedAt === null ? newest : undefined
  }

  /** Recorded, of worktrees of this home. */
  async listOpen(home: string): Promise<Pull[]> {
    const rows = await this.#q
      .selectFrom('pulls')
      .innerJoin('workspaces', 'workspaces.task_id', 'pulls.task_id')
      .innerJoin('worktrees', 'worktrees.id', 'workspaces.worktree_id')
      .selectAll('pulls')
      .where('pulls.ended_at', 'is', null)
      .where('pulls.url', 'is not', null)
      .where('worktrees.home', '=', home)
      .orderBy('pulls.id')
      .execute()
    return rows.map(toPull)
  }

  async insert(pull: Pull): Promise<void> {
    await this.#q.insertInto('pulls').values(toRow(pull)).execute()
  }

  async save(pull: Pull): Promise<void> {
    await this.#q.updateTable('pulls').set(toRow(pull)).where('id', '=', pull.id).execute()
  }
}

function toPull(row: Selectable<ThreadTables['pulls']>): Pull {
  const { task_id, project_id, snapshot_id, base_ref, commit_id, ended_at, outcome, at, ...rest } = row
  return {
    ...rest,
    taskId: task_id,
    projectId: project_id,
    snapshotId: snapshot_id,
    baseRef: base_ref,
    commit: commit_id,
    at: Number(at),
    endedAt: ended_at === null ? null : Number(ended_at),
    outcome: outcome as Pull['outcome'],
  }
}

function toRow(pull: Pull): ThreadTables['pulls'] {
  const { taskId, projectId, snapshotId, baseRef, commit, endedAt, ...rest } = pull
  return {
    ...rest,
    task_id: taskId,
    project_id: projectId,
    snapshot_id: snapshotId,
    base_ref: baseRef,
    commit_id: commit,
    ended_at: endedAt,
  }
}
