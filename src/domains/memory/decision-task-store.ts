import type { Kysely } from 'kysely'
import type { TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { MemoryTables } from './schema.ts'

const ofTask = fixed((q: Kysely<MemoryTables>, values: { taskId: TaskId }) =>
  q.selectFrom('decision_tasks').selectAll().where('task_id', '=', values.taskId).orderBy('decision_id'),
)
const tasksOf = fixed((q: Kysely<MemoryTables>, values: { decisionId: number }) =>
  q.selectFrom('decision_tasks').select('task_id').where('decision_id', '=', values.decisionId).orderBy('task_id'),
)

/** Which decisions are about which tasks, and which tasks followed them. */
export class DecisionTaskStore {
  readonly #rows
  readonly #q

  constructor(rows: Rows) {
    this.#rows = rows
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

  async forget(taskId: TaskId): Promise<void> {
    await this.#q.deleteFrom('decision_tasks').where('task_id', '=', taskId).execute()
  }

  /** Oldest first. */
  ofTask(taskId: TaskId): Promise<MemoryTables['decision_tasks'][]> {
    return ofTask(this.#rows, { taskId })
  }

  linksOf(decisionIds: readonly number[]): Promise<MemoryTables['decision_tasks'][]> {
    return this.#q
      .selectFrom('decision_tasks')
      .selectAll()
      .where('decision_id', 'in', [...decisionIds])
      .orderBy('task_id')
      .execute()
  }

  async tasksOf(decisionId: number): Promise<TaskId[]> {
    return (await tasksOf(this.#rows, { decisionId })).map(row => row.task_id)
  }
}
