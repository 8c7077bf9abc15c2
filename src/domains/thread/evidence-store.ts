import type { EvidenceId, MergeId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { EvidenceOutcome } from '#contract/thread.ts'
import type { CheckRemark } from '#contract/why.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { Evidence } from './model.ts'
import type { ThreadTables } from './schema.ts'

type Row = ThreadTables['evidence']

export class EvidenceStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  async find(id: EvidenceId): Promise<Evidence | undefined> {
    const row = await this.#q.selectFrom('evidence').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toEvidence(row)
  }

  /** Newest first. */
  async list(taskId: TaskId, limit: number): Promise<Evidence[]> {
    const query = this.#q.selectFrom('evidence').selectAll().where('task_id', '=', taskId)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toEvidence)
  }

  /** Oldest first. */
  async ofSnapshot(snapshotId: SnapshotId): Promise<Evidence[]> {
    const query = this.#q.selectFrom('evidence').selectAll().where('snapshot_id', '=', snapshotId)
    return (await query.orderBy('id').execute()).map(toEvidence)
  }

  /** Oldest first. */
  async ofMerge(mergeId: MergeId): Promise<Evidence[]> {
    const query = this.#q.selectFrom('evidence').selectAll().where('merge_id', '=', mergeId)
    return (await query.orderBy('id').execute()).map(toEvidence)
  }

  async listOpen(place: string): Promise<Evidence[]> {
    const query = this.#q.selectFrom('evidence').selectAll().where('ended_at', 'is', null).where('place', '=', place)
    return (await query.orderBy('id').execute()).map(toEvidence)
  }

  async listRunning(): Promise<Evidence[]> {
    const query = this.#q.selectFrom('evidence').selectAll().where('ended_at', 'is', null)
    return (await query.where('process', 'is not', null).execute()).map(toEvidence)
  }

  async insert(evidence: Evidence): Promise<void> {
    await this.#q.insertInto('evidence').values(toRow(evidence)).execute()
  }

  async save(evidence: Evidence): Promise<void> {
    await this.#q.updateTable('evidence').set(toRow(evidence)).where('id', '=', evidence.id).execute()
  }
}

function toEvidence(row: Row): Evidence {
  return {
    id: row.id,
    taskId: row.task_id,
    projectId: row.project_id,
    snapshotId: row.snapshot_id,
    mergeId: row.merge_id,
    name: row.name,
    command: JSON.parse(row.command) as string[],
    required: row.required === 1,
    tree: row.tree,
    place: row.place,
    process: row.process === null ? null : (JSON.parse(row.process) as ProcessRecord),
    startedAt: row.started_at,
    beganAt: row.began_at,
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    outcome: row.outcome as EvidenceOutcome | null,
    exitCode: row.exit_code,
    tail: row.tail,
    remark: row.remark === null ? null : (JSON.parse(row.remark) as CheckRemark),
    logPath: row.log_path,
  }
}

function toRow(evidence: Evidence): Row {
  return {
    id: evidence.id,
    task_id: evidence.taskId,
    project_id: evidence.projectId,
    snapshot_id: evidence.snapshotId,
    merge_id: evidence.mergeId,
    name: evidence.name,
    command: JSON.stringify(evidence.command),
    required: evidence.required ? 1 : 0,
    tree: evidence.tree,
    place: evidence.place,
    process: evidence.process === null ? null : JSON.stringify(evidence.process),
    started_at: evidence.startedAt,
    began_at: evidence.beganAt,
    ended_at: evidence.endedAt,
    duration_ms: evidence.durationMs,
    outcome: evidence.outcome,
    exit_code: evidence.exitCode,
    tail: evidence.tail,
    remark: evidence.remark && JSON.stringify(evidence.remark),
    log_path: evidence.logPath,
  }
}
