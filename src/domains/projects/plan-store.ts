import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { handleOf } from '#contract/projects.ts'
import type { Rows } from '#kernel/db/db.ts'
import { CLOSED } from './model.ts'
import type { ProjectTables } from './schema.ts'

/** Who added which tasks, and how much work agents have. */
export class PlanStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ProjectTables>()
  }

  /** Titles of open tasks in one place of the plan. */
  openTitles(projectId: ProjectId, parentId: TaskId | null): Promise<{ id: TaskId; title: string }[]> {
    return this.#q
      .selectFrom('tasks')
      .select(['id', 'title'])
      .where('project_id', '=', projectId)
      .where('parent_id', parentId === null ? 'is' : '=', parentId)
      .where('status', 'not in', CLOSED)
      .orderBy('number')
      .execute()
  }

  async countOpen(projectId: ProjectId, maker: string): Promise<number> {
    const { count } = await this.#q
      .selectFrom('tasks')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('made_by', '=', maker)
      .where('project_id', '=', projectId)
      .where('status', 'not in', CLOSED)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async makerOf(id: TaskId): Promise<string | null> {
    const row = await this.#q.selectFrom('tasks').select('made_by').where('id', '=', id).executeTakeFirst()
    return row?.made_by ?? null
  }

  async setMaker(id: TaskId, maker: string): Promise<void> {
    await this.#q.updateTable('tasks').set({ made_by: maker }).where('id', '=', id).execute()
  }

  async edit(
    id: TaskId,
    changes: { title?: string; description?: string; priority?: string },
    updatedAt: number,
  ): Promise<void> {
    await this.#q
      .updateTable('tasks')
      .set({ ...changes, updated_at: updatedAt })
      .where('id', '=', id)
      .execute()
  }

  /** Of each agent: how many open tasks it has, in all projects. */
  async openTasks(agentIds: readonly AgentId[]): Promise<Map<AgentId | null, number>> {
    if (agentIds.length === 0) return new Map()
    const rows = await this.#q
      .selectFrom('tasks')
      .select(['assignee_id', eb => eb.fn.countAll<number>().as('count')])
      .where('assignee_id', 'in', agentIds)
      .where('status', 'not in', CLOSED)
      .groupBy('assignee_id')
      .execute()
    return new Map(rows.map(row => [row.assignee_id, Number(row.count)]))
  }

  /** Handles of what each agent has in progress. */
  async inProgress(
    agentIds: readonly AgentId[],
    projectId: ProjectId | undefined,
  ): Promise<Map<AgentId | null, string[]>> {
    if (agentIds.length === 0) return new Map()
    let query = this.#q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .select(['tasks.assignee_id', 'tasks.number', 'projects.key'])
      .where('tasks.assignee_id', 'in', agentIds)
      .where('tasks.status', '=', 'in_progress')
    if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId)
    const rows = await query.orderBy('projects.number').orderBy('tasks.number').execute()
    const handles = new Map<AgentId | null, string[]>()
    for (const { assignee_id, key, number } of rows)
      handles.set(assignee_id, [...(handles.get(assignee_id) ?? []), handleOf(key ?? '', number ?? 0)])
    return handles
  }
}
