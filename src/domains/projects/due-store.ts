// Which tasks agents can be started for.
import { sql } from 'kysely'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import type { TaskStatus } from '#contract/projects.ts'
import { PRIORITIES } from '#contract/task-values.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Task } from './model.ts'
import type { ProjectTables } from './schema.ts'
import { IS_READY, selectTasks, toTask } from './task-rows.ts'

export class DueStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ProjectTables>()
  }

  /** Agents with work to be started for, and where. */
  async listDue(limit: number): Promise<{ agentId: AgentId; projectId: ProjectId }[]> {
    const rows = await this.#q
      .selectFrom('tasks')
      .select(['assignee_id', 'project_id'])
      .distinct()
      .where('status', '=', 'in_progress')
      .where('assignee_id', 'is not', null)
      .where(IS_READY)
      .orderBy('project_id')
      .orderBy('assignee_id')
      .limit(limit)
      .execute()
    return rows.map(row => ({ agentId: (row.assignee_id ?? '') as AgentId, projectId: row.project_id }))
  }

  /** What the agent should work on: the most urgent first, then the oldest. */
  async listWork(
    projectId: ProjectId,
    agentId: AgentId,
    statuses: readonly TaskStatus[],
    limit: number,
    skip: number,
  ): Promise<Task[]> {
    const rank = sql`CASE tasks.priority ${sql.join(
      PRIORITIES.map((priority, index) => sql`WHEN ${sql.lit(priority)} THEN ${sql.lit(index)}`),
      sql` `,
    )} END`
    const rows = await selectTasks(this.#q)
      .where('tasks.assignee_id', '=', agentId)
      .where('tasks.project_id', '=', projectId)
      .where('tasks.status', 'in', statuses)
      .where(IS_READY)
      .orderBy(rank)
      .orderBy('tasks.created_at')
      .orderBy('tasks.id')
      .limit(limit)
      .offset(skip)
      .execute()
    return rows.map(toTask)
  }

  /** Agents with a task in one of these statuses, where they could be started for it: in projects that are active and have a folder. */
  async listPairs(
    statuses: readonly TaskStatus[],
  ): Promise<{ agentId: AgentId; projectId: ProjectId; directory: string; workspace: boolean }[]> {
    const rows = await this.#q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .innerJoin('project_agents', join =>
        join
          .onRef('project_agents.project_id', '=', 'tasks.project_id')
          .onRef('project_agents.agent_id', '=', 'tasks.assignee_id'),
      )
      .select(['projects.number', 'projects.id', 'projects.directory', 'projects.workspace', 'project_agents.agent_id'])
      .distinct()
      .where('tasks.status', 'in', statuses)
      .where(IS_READY)
      .where('projects.active', '=', 1)
      .where('projects.directory', 'is not', null)
      .orderBy('projects.number')
      .orderBy('project_agents.agent_id')
      .execute()
    return rows.map(row => ({
      agentId: row.agent_id,
      projectId: row.id,
      directory: row.directory ?? '',
      workspace: row.workspace === 'task',
    }))
  }
}
