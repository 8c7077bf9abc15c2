import type { CommentId, SnapshotId, TaskId, VerdictId } from '#contract/id-types.ts'
import type { Decision } from '#contract/thread.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Comment, Verdict } from './model.ts'
import type { ThreadTables } from './schema.ts'

export class ReviewStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  async insertVerdict(verdict: Verdict): Promise<void> {
    const { taskId, snapshotId, commit, ...rest } = verdict
    await this.#q
      .insertInto('verdicts')
      .values({ ...rest, task_id: taskId, snapshot_id: snapshotId, commit_id: commit })
      .execute()
  }

  /** Newest first. */
  async verdicts(taskId: TaskId, limit: number): Promise<Verdict[]> {
    const query = this.#q.selectFrom('verdicts').selectAll().where('task_id', '=', taskId)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toVerdict)
  }

  /** How often in a row agents have wanted changes. */
  async changesByAgents(taskId: TaskId): Promise<number> {
    const all = this.#q.selectFrom('verdicts').where('task_id', '=', taskId)
    const other = await all
      .select('id')
      .where(is => is.or([is('decision', '!=', 'changes'), is('author', 'not like', 'agent:%')]))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const since = other ? all.where('id', '>', other.id) : all
    const { count } = await since.select(is => is.fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
    return Number(count)
  }

  async findComment(id: CommentId): Promise<Comment | undefined> {
    const row = await this.#q.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toComment(row)
  }

  /** Oldest first. */
  async comments(taskId: TaskId): Promise<Comment[]> {
    const query = this.#q.selectFrom('comments').selectAll().where('task_id', '=', taskId)
    return (await query.orderBy('id').execute()).map(toComment)
  }

  async insertComment(comment: Comment): Promise<void> {
    await this.#q.insertInto('comments').values(toRow(comment)).execute()
  }

  async saveComment(comment: Comment): Promise<void> {
    await this.#q.updateTable('comments').set(toRow(comment)).where('id', '=', comment.id).execute()
  }

  async removeComment(id: CommentId): Promise<void> {
    await this.#q.deleteFrom('comments').where('id', '=', id).execute()
  }

  /** What an author has written and not sent goes out with the verdict. */
  async send(taskId: TaskId, author: string, verdictId: VerdictId, snapshotId: SnapshotId | null): Promise<void> {
    await this.#q
      .updateTable('comments')
      .set({ verdict_id: verdictId, snapshot_id: snapshotId })
      .where('task_id', '=', taskId)
      .where('author', '=', author)
      .where('verdict_id', 'is', null)
      .execute()
  }
}

function toVerdict({ task_id, snapshot_id, commit_id, decision, ...rest }: ThreadTables['verdicts']): Verdict {
  return { ...rest, taskId: task_id, snapshotId: snapshot_id, commit: commit_id, decision: decision as Decision }
}

function toComment(row: ThreadTables['comments']): Comment {
  const { task_id, snapshot_id, from_line, to_line, verdict_id, answered_at, ...rest } = row
  return {
    ...rest,
    taskId: task_id,
    snapshotId: snapshot_id,
    from: from_line,
    to: to_line,
    verdictId: verdict_id,
    answeredAt: answered_at,
  }
}

function toRow(comment: Comment): ThreadTables['comments'] {
  const { taskId, snapshotId, from, to, verdictId, answeredAt, ...rest } = comment
  return {
    ...rest,
    task_id: taskId,
    snapshot_id: snapshotId,
    from_line: from,
    to_line: to,
    verdict_id: verdictId,
    answered_at: answeredAt,
  }
}
