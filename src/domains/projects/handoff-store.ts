import { sql } from 'kysely'
import type { AgentId, HandoffId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { TaskStatus } from '#contract/projects.ts'
import type { Rows } from '#kernel/db/db.ts'
import { CLOSED, type Handoff, handoffStatus } from './model.ts'
import type { ProjectTables } from './schema.ts'

type HandoffRow = ProjectTables['handoffs'] & {
  task_status: string
  task_assignee: AgentId | null
  newest: string
}

export type OpenHandoffs = {
  /** To this agent, or without a receiver. */
  agentId?: AgentId | undefined
  projectId?: ProjectId | undefined
  taskId?: TaskId | undefined
}

export class HandoffStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ProjectTables>()
  }

  async find(id: HandoffId): Promise<Handoff | undefined> {
    const row = await this.#all().where('handoffs.id', '=', id).executeTakeFirst()
    return row && toHandoff(row)
  }

  async insert(handoff: Handoff, tree: string | null, isOneTooMany: boolean): Promise<void> {
    const row = { ...toHandoffRow(handoff), tree, stopped: isOneTooMany ? 1 : 0 }
    await this.#q.insertInto('handoffs').values(row).execute()
  }

  async accept(id: HandoffId, by: AgentId, at: number): Promise<void> {
    await this.#q.updateTable('handoffs').set({ accepted_at: at, accepted_by: by }).where('id', '=', id).execute()
  }

  /** The newest of a task; with an agent, the newest to that agent or without a receiver. */
  async newest(taskId: TaskId, agentId?: AgentId): Promise<Handoff | undefined> {
    let query = this.#all().where('handoffs.task_id', '=', taskId)
    if (agentId !== undefined)
      query = query.where(eb =>
        eb.or([eb('handoffs.to_agent_id', '=', agentId), eb('handoffs.to_agent_id', 'is', null)]),
      )
    const row = await query.orderBy('handoffs.id', 'desc').limit(1).executeTakeFirst()
    return row && toHandoff(row)
  }

  /** Those that `handoffStatus` calls pending, oldest first. */
  async listOpen(filter: OpenHandoffs, after: string, limit: number): Promise<Handoff[]> {
    let query = this.#all()
      .where('handoffs.accepted_at', 'is', null)
      .where('handoffs.id', '>', after as HandoffId)
      .where('tasks.status', 'not in', CLOSED)
      .where(eb =>
        eb.or([
          eb('tasks.assignee_id', '=', eb.ref('handoffs.to_agent_id')),
          eb.and([eb('tasks.assignee_id', 'is', null), eb('handoffs.to_agent_id', 'is', null)]),
        ]),
      )
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM handoffs newer WHERE newer.task_id = handoffs.task_id AND newer.id > handoffs.id)`,
      )
    const { agentId, projectId, taskId } = filter
    if (taskId !== undefined) query = query.where('handoffs.task_id', '=', taskId)
    if (agentId !== undefined)
      query = query.where(eb =>
        eb.or([eb('handoffs.to_agent_id', '=', agentId), eb('handoffs.to_agent_id', 'is', null)]),
      )
    if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId)
    return (await query.orderBy('handoffs.id').limit(limit).execute()).map(toHandoff)
  }

  #all() {
    return (
      this.#q
        .selectFrom('handoffs')
        // In this order: SQLite would begin with all tasks of a project.
        .crossJoin('tasks')
        .whereRef('tasks.id', '=', 'handoffs.task_id')
        .selectAll('handoffs')
        .select(['tasks.status as task_status', 'tasks.assignee_id as task_assignee'])
        .select(
          sql<string>`(SELECT newer.id FROM handoffs newer WHERE newer.task_id = handoffs.task_id ORDER BY newer.id DESC LIMIT 1)`.as(
            'newest',
          ),
        )
    )
  }
}

function toHandoff(row: HandoffRow): Handoff {
  const handoff = {
    id: row.id,
    taskId: row.task_id,
    fromAgentId: row.from_agent_id,
    toAgentId: row.to_agent_id,
    summary: row.summary,
    context: row.context,
    recommendations: row.recommendations,
    createdAt: row.created_at,
    acceptedAt: row.accepted_at,
    acceptedBy: row.accepted_by,
  }
  const task = { status: row.task_status as TaskStatus, assigneeId: row.task_assignee }
  return { ...handoff, status: handoffStatus(handoff, task, row.newest) }
}

function toHandoffRow(handoff: Handoff): Omit<ProjectTables['handoffs'], 'tree' | 'stopped'> {
  return {
    id: handoff.id,
    task_id: handoff.taskId,
    from_agent_id: handoff.fromAgentId,
    to_agent_id: handoff.toAgentId,
    summary: handoff.summary,
    context: handoff.context,
    recommendations: handoff.recommendations,
    created_at: handoff.createdAt,
    accepted_at: handoff.acceptedAt,
    accepted_by: handoff.acceptedBy,
  }
}
