import type { TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { MemoryTables } from './schema.ts'

/** Which decisions are about which tasks, and which tasks followed them. */
export class DecisionTaskStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<MemoryTables>()
  }

  async add(decisionId: number, taskId: TaskId, how: 'named_at' | 'cited_at', at: number): Promise<void> {
    const row = { decision_id: decisionId, task_id: taskId, named_at: null, cited_at: null, [how]: at }
    await this.#q
      .insertInto('decision_tasks')
      .values(row)
      .onConflict(c => c.columns(['decision_id', 'task_id']).doUpdateSet({ [how]: at }))
      .execute()
  }

  /** Oldest first. */
  ofTask(taskId: TaskId): Promise<MemoryTables['decision_tasks'][]> {
    return this.#q
      .selectFrom('decision_tasks')
      .selectAll()
      .where('task_id', '=', taskId)
      .orderBy('decision_id')
      .execute()
  }

  async tasksOf(decisionId: number): Promise<TaskId[]> {
    const query = this.#q.selectFrom('decision_tasks').select('task_id').where('decision_id', '=', decisionId)
    return (await query.orderBy('task_id').execute()).map(row => row.task_id)
  }
}
