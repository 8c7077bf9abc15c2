import type { ProjectId, SnapshotId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { ThreadTables } from './schema.ts'

/** What is asked of the rows of others. */
type Others = { worktrees: { id: WorktreeId; home: string; repository: string; made_branch: number } }

export type Left = {
  taskId: TaskId
  projectId: ProjectId
  home: string
  repository: string
  branch: string
  /** Made by the hub, not found. */
  isOwnBranch: boolean
  isReleased: boolean
  snapshots: SnapshotId[]
  /** The newest that was taken. */
  head: string | null
}

/** All that is kept of the work on a task, for when the task is gone. */
export class ForgetStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables & Others>()
  }

  /** What lies outside of the database; undefined when it never had a workspace. */
  async find(taskId: TaskId): Promise<Left | undefined> {
    const row = await this.#q
      .selectFrom('workspaces')
      .innerJoin('worktrees', 'worktrees.id', 'workspaces.worktree_id')
      .select(['workspaces.project_id', 'workspaces.branch', 'workspaces.released_at'])
      .select(['worktrees.home', 'worktrees.repository', 'worktrees.made_branch'])
      .where('workspaces.task_id', '=', taskId)
      .executeTakeFirst()
    if (!row) return undefined
    const query = this.#q.selectFrom('snapshots').select(['id', 'commit_id']).where('task_id', '=', taskId)
    const snapshots = await query.orderBy('id').execute()
    return {
      ...{ taskId, projectId: row.project_id, home: row.home, repository: row.repository, branch: row.branch },
      ...{ isOwnBranch: row.made_branch === 1, isReleased: row.released_at !== null },
      snapshots: snapshots.map(({ id }) => id),
      head: snapshots.findLast(({ commit_id }) => commit_id !== null)?.commit_id ?? null,
    }
  }

  async forget(taskId: TaskId): Promise<void> {
    for (const table of ['reviews', 'merges', 'pulls', 'evidence', 'comments', 'verdicts', 'snapshots'] as const)
      await this.#q.deleteFrom(table).where('task_id', '=', taskId).execute()
    await this.#q.deleteFrom('workspaces').where('task_id', '=', taskId).execute()
  }
}
