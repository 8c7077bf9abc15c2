import type { ProjectId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { FlaggedFile, HeldFile, SnapshotCause } from '#contract/thread.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Text } from '#contract/errors.ts'
import type { Snapshot } from './model.ts'
import type { ThreadTables } from './schema.ts'

type Row = ThreadTables['snapshots']

/** Taken because work was reported, or because a person let a file in: what is checked, reviewed and merged. */
const CURRENT: readonly SnapshotCause[] = ['report', 'asked']

export class SnapshotStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  async find(id: SnapshotId): Promise<Snapshot | undefined> {
    const row = await this.#q.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toSnapshot(row)
  }

  /** Newest first. */
  async list(taskId: TaskId, limit: number): Promise<Snapshot[]> {
    const rows = await this.#q
      .selectFrom('snapshots')
      .selectAll()
      .where('task_id', '=', taskId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toSnapshot)
  }

  /** The one that speaks for the task's work. */
  async current(taskId: TaskId): Promise<Snapshot | undefined> {
    const row = await this.#q
      .selectFrom('snapshots')
      .selectAll()
      .where('task_id', '=', taskId)
      .where('cause', 'in', CURRENT)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && toSnapshot(row)
  }

  /** Those of work that was reported as done, newest first; `before`: the id of one. */
  async reports(taskId: TaskId, limit: number, before: SnapshotId | undefined): Promise<Snapshot[]> {
    let query = this.#q
      .selectFrom('snapshots')
      .selectAll()
      .where('task_id', '=', taskId)
      .where('cause', 'in', CURRENT)
      .where('result', '=', 'success')
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toSnapshot)
  }

  /** With which the hub still has to do something, the oldest first. */
  async listUnsettled(limit: number, after: string): Promise<Snapshot[]> {
    const rows = await this.#q
      .selectFrom('snapshots')
      .selectAll()
      .where('settled_at', 'is', null)
      .where('id', '>', after as SnapshotId)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toSnapshot)
  }

  /** The checks of a project have changed: its work that still has a folder is looked at again. */
  async unsettle(projectId: ProjectId): Promise<void> {
    const live = this.#q
      .selectFrom('workspaces')
      .select('task_id')
      .where('project_id', '=', projectId)
      .where('released_at', 'is', null)
    await this.#q
      .updateTable('snapshots')
      .set({ settled_at: null })
      .where('task_id', 'in', live)
      .where('cause', 'in', CURRENT)
      .where('commit_id', 'is not', null)
      .execute()
  }

  async insert(snapshot: Snapshot): Promise<void> {
    await this.#q.insertInto('snapshots').values(toRow(snapshot)).execute()
  }

  async save(snapshot: Snapshot): Promise<void> {
    await this.#q.updateTable('snapshots').set(toRow(snapshot)).where('id', '=', snapshot.id).execute()
  }
}

function toSnapshot(row: Row): Snapshot {
  return {
    id: row.id,
    taskId: row.task_id,
    projectId: row.project_id,
    worktreeId: row.worktree_id,
    cause: row.cause as SnapshotCause,
    runId: row.run_id,
    result: row.result,
    summary: row.summary,
    at: row.at,
    takenAt: row.taken_at,
    error: row.error === null ? null : refusalOf(row.error),
    commit: row.commit_id,
    tree: row.tree,
    baseCommit: row.base_commit,
    changedFiles: row.changed_files,
    held: JSON.parse(row.held) as HeldFile[],
    flagged: JSON.parse(row.flagged) as FlaggedFile[],
    cites: JSON.parse(row.cites) as string[],
    authors: JSON.parse(row.authors) as string[],
    included: JSON.parse(row.included) as string[],
    settledAt: row.settled_at,
  }
}

function toRow(snapshot: Snapshot): Row {
  return {
    id: snapshot.id,
    task_id: snapshot.taskId,
    project_id: snapshot.projectId,
    worktree_id: snapshot.worktreeId,
    cause: snapshot.cause,
    run_id: snapshot.runId,
    result: snapshot.result,
    summary: snapshot.summary,
    at: snapshot.at,
    taken_at: snapshot.takenAt,
    error: snapshot.error && JSON.stringify(snapshot.error),
    commit_id: snapshot.commit,
    tree: snapshot.tree,
    base_commit: snapshot.baseCommit,
    changed_files: snapshot.changedFiles,
    held: JSON.stringify(snapshot.held),
    flagged: JSON.stringify(snapshot.flagged),
    cites: JSON.stringify(snapshot.cites),
    authors: JSON.stringify(snapshot.authors),
    included: JSON.stringify(snapshot.included),
    settled_at: snapshot.settledAt,
  }
}

/** Rows of before have the English sentence alone. */
function refusalOf(stored: string): Text {
  return stored.startsWith('{') ? (JSON.parse(stored) as Text) : { en: stored, ja: stored }
}
