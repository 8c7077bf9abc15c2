import type { PassId, TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Pass } from './handed-back.ts'
import type { ProjectTables } from './schema.ts'

export class PassStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ProjectTables>()
  }

  /** One without a handoff. */
  async insert(id: PassId, taskId: TaskId, { from, to, at, tree, stopped }: Pass): Promise<void> {
    const agents = { from_agent_id: from, to_agent_id: to }
    const row = { id, task_id: taskId, ...agents, created_at: at, tree, stopped: stopped ? 1 : 0 }
    await this.#q.insertInto('task_passes').values(row).execute()
  }

  /** With and without a handoff, newest first. */
  async list(taskId: TaskId, limit: number): Promise<Pass[]> {
    const handoffs = await this.#q
      .selectFrom('handoffs')
      .select(['id', 'from_agent_id', 'to_agent_id', 'accepted_by', 'created_at', 'tree', 'stopped'])
      .where('task_id', '=', taskId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const others = await this.#q
      .selectFrom('task_passes')
      .select(['id', 'from_agent_id', 'to_agent_id', 'created_at', 'tree', 'stopped'])
      .where('task_id', '=', taskId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return [...handoffs, ...others.map(row => ({ ...row, accepted_by: null }))]
      .sort((a, b) => (orderOf(a.id) < orderOf(b.id) ? 1 : -1))
      .slice(0, limit)
      .map(row => ({
        from: row.from_agent_id,
        to: row.to_agent_id ?? row.accepted_by,
        at: row.created_at,
        tree: row.tree,
        stopped: row.stopped === 1,
      }))
  }
}

/** What an id has after its kind is in the order in which they were made. */
const orderOf = (id: string) => id.slice(id.indexOf('_'))
