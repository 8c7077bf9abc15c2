import type { RunId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { Text } from '#contract/errors.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { AskedReview } from './model.ts'
import type { ThreadTables } from './schema.ts'

export class AskedReviewStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  async find(id: AskedReview['id']): Promise<AskedReview | undefined> {
    const row = await this.#q.selectFrom('reviews').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toReview(row)
  }

  async findByRun(runId: RunId): Promise<AskedReview | undefined> {
    const row = await this.#q.selectFrom('reviews').selectAll().where('run_id', '=', runId).executeTakeFirst()
    return row && toReview(row)
  }

  async newest(taskId: TaskId): Promise<AskedReview | undefined> {
    const query = this.#q.selectFrom('reviews').selectAll().where('task_id', '=', taskId)
    const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
    return row && toReview(row)
  }

  async hasAny(snapshotId: SnapshotId): Promise<boolean> {
    const query = this.#q.selectFrom('reviews').select('id').where('snapshot_id', '=', snapshotId)
    return (await query.limit(1).executeTakeFirst()) !== undefined
  }

  /** With which the hub still has to do something, the oldest first. */
  async listOpen(): Promise<AskedReview[]> {
    const query = this.#q.selectFrom('reviews').selectAll().where('settled_at', 'is', null)
    return (await query.orderBy('id').execute()).map(toReview)
  }

  async insert(review: AskedReview): Promise<void> {
    await this.#q.insertInto('reviews').values(toRow(review)).execute()
  }

  async save(review: AskedReview): Promise<void> {
    await this.#q.updateTable('reviews').set(toRow(review)).where('id', '=', review.id).execute()
  }
}

function toReview(row: ThreadTables['reviews']): AskedReview {
  return {
    id: row.id,
    taskId: row.task_id,
    projectId: row.project_id,
    snapshotId: row.snapshot_id,
    agentId: row.agent_id,
    askedBy: row.asked_by,
    at: row.at,
    runId: row.run_id,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as Text),
    verdictId: row.verdict_id,
    settledAt: row.settled_at,
  }
}

function toRow(review: AskedReview): ThreadTables['reviews'] {
  return {
    id: review.id,
    task_id: review.taskId,
    project_id: review.projectId,
    snapshot_id: review.snapshotId,
    agent_id: review.agentId,
    asked_by: review.askedBy,
    at: review.at,
    run_id: review.runId,
    problem: review.problem && JSON.stringify(review.problem),
    verdict_id: review.verdictId,
    settled_at: review.settledAt,
  }
}
