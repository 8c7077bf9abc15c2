import type { Selectable } from 'kysely'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { ThreadTables } from './schema.ts'
import type { Workspace } from './workspace-model.ts'

export class WorkspaceStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  async find(taskId: TaskId): Promise<Workspace | undefined> {
    const row = await this.#q.selectFrom('workspaces').selectAll().where('task_id', '=', taskId).executeTakeFirst()
    return row && toWorkspace(row)
  }

  async findByWorktree(worktreeId: WorktreeId): Promise<Workspace | undefined> {
    const row = await this.#q
      .selectFrom('workspaces')
      .selectAll()
      .where('worktree_id', '=', worktreeId)
      .where('released_at', 'is', null)
      .executeTakeFirst()
    return row && toWorkspace(row)
  }

  async listLive(projectId?: ProjectId): Promise<Workspace[]> {
    let query = this.#q.selectFrom('workspaces').selectAll().where('released_at', 'is', null)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    return (await query.orderBy('task_id').execute()).map(toWorkspace)
  }

  async livePorts(): Promise<Set<number>> {
    const rows = await this.#q.selectFrom('workspaces').select('port').where('released_at', 'is', null).execute()
    return new Set(rows.map(({ port }) => port))
  }

  async releaseAll(at: number): Promise<void> {
    await this.#q.updateTable('workspaces').set({ released_at: at }).where('released_at', 'is', null).execute()
  }

  async save(workspace: Workspace): Promise<void> {
    const { task_id, ...rest } = toRow(workspace)
    await this.#q
      .insertInto('workspaces')
      .values({ task_id, ...rest })
      .onConflict(c => c.column('task_id').doUpdateSet(rest))
      .execute()
  }
}

function toRow(workspace: Workspace): ThreadTables['workspaces'] {
  return {
    task_id: workspace.taskId,
    project_id: workspace.projectId,
    worktree_id: workspace.worktreeId,
    branch: workspace.branch,
    base_ref: workspace.baseRef,
    port: workspace.port,
    made_at: workspace.madeAt,
    released_at: workspace.releasedAt,
  }
}

function toWorkspace(row: Selectable<ThreadTables['workspaces']>): Workspace {
  return {
    taskId: row.task_id,
    projectId: row.project_id,
    worktreeId: row.worktree_id,
    branch: row.branch,
    baseRef: row.base_ref,
    port: row.port,
    madeAt: row.made_at,
    releasedAt: row.released_at,
  }
}
