import type { AgentId, ProjectId, RunId, SessionId, TaskId } from '#contract/id-types.ts'
import type { ReportResult } from '#contract/projects.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { RunEnd } from '#contract/run-end.ts'
import type { Outcome, TaskRun, RunFacts, Start } from './model.ts'
import type { RunTables } from './schema.ts'
import { readFacts } from './stored-facts.ts'

export type TaskRunFilter = {
  taskId?: TaskId | undefined
  agentId?: AgentId | undefined
  projectId?: ProjectId | undefined
  /** Those that have not ended, or those that have. */
  open?: boolean | undefined
}

export class TaskRunStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<RunTables>()
  }

  async find(id: RunId): Promise<TaskRun | undefined> {
    const query = this.#q.selectFrom('runs').selectAll().where('id', '=', id).where('crew_id', 'is', null)
    const row = await query.executeTakeFirst()
    return row && toRun(row)
  }

  /** Newest first. */
  async listOpen(sessionId: SessionId): Promise<TaskRun[]> {
    const rows = await this.#q
      .selectFrom('runs')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(toRun)
  }

  async listOpenOn(taskId: TaskId): Promise<TaskRun[]> {
    const query = this.#q.selectFrom('runs').selectAll().where('task_id', '=', taskId).where('crew_id', 'is', null)
    return (await query.where('ended_at', 'is', null).execute()).map(toRun)
  }

  async hasWorkedOn(agentId: AgentId, taskId: TaskId, since: number): Promise<boolean> {
    const query = this.#q.selectFrom('runs').select('id').where('task_id', '=', taskId).where('crew_id', 'is', null)
    const lasted = query.where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', since)]))
    return (await lasted.where('agent_id', '=', agentId).limit(1).executeTakeFirst()) !== undefined
  }

  /** All the work of one instance, newest first. */
  async listOf({ agentId, projectId, epoch }: Start): Promise<TaskRun[]> {
    const rows = await this.#q
      .selectFrom('runs')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('project_id', '=', projectId)
      .where('epoch', '=', epoch)
      .where('crew_id', 'is', null)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(toRun)
  }

  /** Newest first; ids grow with time. */
  async listOpenOf(taskIds: readonly TaskId[]): Promise<TaskRun[]> {
    if (taskIds.length === 0) return []
    const query = this.#q.selectFrom('runs').selectAll().where('crew_id', 'is', null).where('ended_at', 'is', null)
    return (
      await query
        .where('task_id', 'in', [...taskIds])
        .orderBy('id')
        .execute()
    ).map(toRun)
  }

  /** Who took these tasks, and when. */
  async listTaken(taskIds: readonly TaskId[]): Promise<{ taskId: TaskId; agentId: AgentId; takenAt: number }[]> {
    if (taskIds.length === 0) return []
    const rows = await this.#q
      .selectFrom('runs')
      .select(['task_id', 'agent_id', 'taken_at'])
      .where('crew_id', 'is', null)
      .where('taken_at', 'is not', null)
      .where('task_id', 'in', [...taskIds])
      .execute()
    return rows.map(row => ({
      taskId: row.task_id as TaskId,
      agentId: row.agent_id as AgentId,
      takenAt: row.taken_at as number,
    }))
  }

  async list(filter: TaskRunFilter, before: string | undefined, limit: number): Promise<TaskRun[]> {
    let query = this.#q.selectFrom('runs').selectAll().where('crew_id', 'is', null)
    if (filter.taskId !== undefined) query = query.where('task_id', '=', filter.taskId)
    if (filter.agentId !== undefined) query = query.where('agent_id', '=', filter.agentId)
    if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId)
    if (filter.open !== undefined) query = query.where('ended_at', filter.open ? 'is' : 'is not', null)
    if (before !== undefined) query = query.where('id', '<', before as RunId)
    const rows = await query.orderBy('id', 'desc').limit(limit).execute()
    return rows.map(toRun)
  }

  async listOpenBy(agentIds: readonly AgentId[]): Promise<TaskRun[]> {
    if (agentIds.length === 0) return []
    const query = this.#q.selectFrom('runs').selectAll().where('crew_id', 'is', null).where('ended_at', 'is', null)
    return (await query.where('agent_id', 'in', agentIds).orderBy('id').execute()).map(toRun)
  }

  async insert(run: TaskRun): Promise<void> {
    await this.#q.insertInto('runs').values(toRow(run)).execute()
  }

  /** Nothing else of the row: it may end at this moment. */
  async saveFacts(id: RunId, facts: RunFacts): Promise<void> {
    const text = JSON.stringify(facts)
    await this.#q.updateTable('runs').set({ facts: text }).where('id', '=', id).execute()
  }

  async save(run: TaskRun): Promise<void> {
    await this.#q.updateTable('runs').set(toRow(run)).where('id', '=', run.id).execute()
  }
}

type Row = RunTables['runs']

/** Executions have all of these. */
function toRun(row: Row): TaskRun {
  return {
    id: row.id,
    taskId: (row.task_id ?? '') as TaskId,
    agentId: (row.agent_id ?? '') as AgentId,
    projectId: (row.project_id ?? '') as ProjectId,
    sessionId: row.session_id,
    epoch: row.epoch,
    takenAt: row.taken_at,
    engine: row.engine,
    runner: row.started_by,
    startedAt: row.started_at ?? row.created_at,
    beganAt: row.began_at,
    endedAt: row.ended_at,
    outcome: row.outcome as Outcome | null,
    result: row.result as ReportResult | null,
    summary: row.summary,
    exitCode: row.exit_code,
    durationMs: row.duration_ms,
    logPath: row.log_path,
    facts: row.facts === null ? null : readFacts(row.facts, row.engine),
    end: row.ending === null ? null : (JSON.parse(row.ending) as RunEnd),
  }
}

function toRow(run: TaskRun) {
  return {
    id: run.id,
    task_id: run.taskId,
    agent_id: run.agentId,
    project_id: run.projectId,
    session_id: run.sessionId,
    epoch: run.epoch,
    taken_at: run.takenAt,
    engine: run.engine,
    started_by: run.runner,
    created_at: run.startedAt,
    started_at: run.startedAt,
    began_at: run.beganAt,
    ended_at: run.endedAt,
    outcome: run.outcome,
    result: run.result,
    summary: run.summary,
    exit_code: run.exitCode,
    duration_ms: run.durationMs,
    log_path: run.logPath,
    facts: run.facts && JSON.stringify(run.facts),
    ending: run.end && JSON.stringify(run.end),
  }
}
