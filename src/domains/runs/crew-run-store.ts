// The SQL for the runs of crews. Executions are in store.ts.
import type { ExpressionBuilder } from 'kysely'
import type { RunStatus } from '#contract/crews.ts'
import type { CrewId, ProjectId, RunId, TaskId } from '#contract/id-types.ts'
import type { RunEnd } from '#contract/run-end.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { type CrewOutcome, type CrewRun, NO_FACTS, type Report } from './model.ts'
import type { RunTables } from './schema.ts'
import { readFacts } from './stored-facts.ts'

export type CrewRunFilter = {
  crewId?: CrewId | undefined
  status?: RunStatus | undefined
  projectId?: ProjectId | undefined
  /** Those that have not ended, or those that have. */
  open?: boolean | undefined
  /** Only what this caller may see: of its project, of its crew, or started by this caller. */
  visible?: { projectId: ProjectId | null; crewId: CrewId | undefined; startedBy: string } | undefined
}

export type RunOfCrew = Pick<CrewRun, 'id' | 'crewId' | 'role' | 'outcome' | 'startedAt' | 'endedAt'> & {
  isReview: boolean
}

type Row = RunTables['runs']
type Where = ExpressionBuilder<RunTables, 'runs'>

export class CrewRunStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<RunTables>()
  }

  async find(id: RunId): Promise<CrewRun | undefined> {
    const row = await this.#all().where('id', '=', id).executeTakeFirst()
    return row && toCrewRun(row)
  }

  async findMany(ids: readonly RunId[]): Promise<CrewRun[]> {
    if (ids.length === 0) return []
    const rows = await this.#all().where('id', 'in', ids).execute()
    return rows.map(toCrewRun)
  }

  async findByTicket(ticketDigest: string): Promise<CrewRun | undefined> {
    const row = await this.#all().where('ticket_digest', '=', ticketDigest).executeTakeFirst()
    return row && toCrewRun(row)
  }

  /** Of this task, those that have not ended and may change files. */
  async listWriting(taskId: TaskId): Promise<CrewRun[]> {
    const open = this.#all().where('task_id', '=', taskId).where('ended_at', 'is', null)
    return (await open.where('permission', '!=', 'read').orderBy('id').execute()).map(toCrewRun)
  }

  /** In the order in which they were named. */
  async listPlan(crewId: CrewId, plan: number): Promise<CrewRun[]> {
    const query = this.#all().where('crew_id', '=', crewId).where('plan', '=', plan)
    const rows = await query.orderBy('stage').orderBy('position').orderBy('id').execute()
    return rows.map(toCrewRun)
  }

  /** Newest first; ids grow with time. */
  async list(filter: CrewRunFilter, before: string | undefined, limit: number): Promise<CrewRun[]> {
    let query = this.#all().where(eb => fits(eb, filter))
    if (before !== undefined) query = query.where('id', '<', before as RunId)
    const rows = await query.orderBy('id', 'desc').limit(limit).execute()
    return rows.map(toCrewRun)
  }

  /** All ids of a crew, oldest first. */
  async ids(crewId: CrewId): Promise<RunId[]> {
    const rows = await this.#q.selectFrom('runs').select('id').where('crew_id', '=', crewId).orderBy('id').execute()
    return rows.map(row => row.id)
  }

  /** How the runs of these crews stand: without their prompts and logs, which are long. */
  async listByCrew(crewIds: readonly CrewId[]): Promise<RunOfCrew[]> {
    if (crewIds.length === 0) return []
    const query = this.#q
      .selectFrom('runs')
      .select(['id', 'crew_id', 'role', 'outcome', 'started_at', 'ended_at', 'work'])
    const rows = await query.where('crew_id', 'in', crewIds).orderBy('id').execute()
    return rows.map(({ id, crew_id, role, outcome, started_at, ended_at, work }) => ({
      ...{ id, crewId: crew_id as CrewId, role: role ?? '', outcome: outcome as CrewOutcome | null },
      ...{ startedAt: started_at, endedAt: ended_at, isReview: work !== null },
    }))
  }

  async count(filter: CrewRunFilter): Promise<number> {
    const query = this.#q
      .selectFrom('runs')
      .where('crew_id', 'is not', null)
      .where(eb => fits(eb, filter))
    const row = await query.select(eb => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
    return Number(row.n)
  }

  async countOpen(crewId: CrewId): Promise<number> {
    const query = this.#q.selectFrom('runs').where('crew_id', '=', crewId).where('ended_at', 'is', null)
    const row = await query.select(eb => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
    return Number(row.n)
  }

  /** Those of this hub that have not ended. */
  async listOpen(place: string): Promise<CrewRun[]> {
    const rows = await this.#all().where('ended_at', 'is', null).where('place', '=', place).orderBy('id').execute()
    return rows.map(toCrewRun)
  }

  async listStarted(): Promise<CrewRun[]> {
    const rows = await this.#all().where('ended_at', 'is', null).where('process', 'is not', null).execute()
    return rows.map(toCrewRun)
  }

  /** Those that may start and were not launched yet. */
  async listDue(place: string): Promise<CrewRun[]> {
    const query = this.#all().where('ended_at', 'is', null).where('place', '=', place)
    const rows = await query.where('due_at', 'is not', null).where('process', 'is', null).orderBy('id').execute()
    return rows.map(toCrewRun)
  }

  /** Of hubs that did not say for so long that they are there. */
  async listSilent(now: HubMoment, silentMs: number): Promise<CrewRun[]> {
    // Also what came with an import, from a hub whose time is ahead of ours.
    const away = (eb: Where) => eb.or([eb('heard_at', '<', now - silentMs), eb('heard_at', '>', now + silentMs)])
    const rows = await this.#all().where('ended_at', 'is', null).where(away).execute()
    return rows.map(toCrewRun)
  }

  /** Has open runs of which it last said before `time` that it is there. */
  async isUnheard(place: string, time: number): Promise<boolean> {
    const row = await this.#q
      .selectFrom('runs')
      .select('id')
      .where('ended_at', 'is', null)
      .where('heard_at', '<', time)
      .where('place', '=', place)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  async heard(place: string, at: HubMoment): Promise<void> {
    await this.#q
      .updateTable('runs')
      .set({ heard_at: at })
      .where('ended_at', 'is', null)
      .where('crew_id', 'is not', null)
      .where('place', '=', place)
      .execute()
  }

  async insert(runs: readonly CrewRun[], heardAt: HubMoment): Promise<void> {
    const rows = runs.map(run => ({ ...toRow(run), heard_at: heardAt }))
    if (rows.length > 0) await this.#q.insertInto('runs').values(rows).execute()
  }

  /** Only the facts that change; `crew-runs.ts` sees to it that an ended one is not touched but by a late report. */
  async save(id: RunId, changes: Partial<CrewRun>): Promise<void> {
    const row = changed(changes)
    if (Object.keys(row).length > 0) await this.#q.updateTable('runs').set(row).where('id', '=', id).execute()
  }

  #all() {
    return this.#q.selectFrom('runs').selectAll().where('crew_id', 'is not', null)
  }
}

function fits(eb: Where, { crewId, status, projectId, open, visible }: CrewRunFilter) {
  return eb.and([
    ...(crewId === undefined ? [] : [eb('crew_id', '=', crewId)]),
    ...(status === undefined ? [] : [hasStatus(eb, status)]),
    ...(projectId === undefined ? [] : [eb('project_id', '=', projectId)]),
    ...(open === undefined ? [] : [eb('ended_at', open ? 'is' : 'is not', null)]),
    ...(visible === undefined ? [] : [isVisible(eb, visible)]),
  ])
}

function isVisible(eb: Where, { projectId, crewId, startedBy }: NonNullable<CrewRunFilter['visible']>) {
  return eb.or([
    eb('started_by', '=', startedBy),
    ...(projectId === null ? [] : [eb('project_id', '=', projectId)]),
    ...(crewId === undefined ? [] : [eb('crew_id', '=', crewId)]),
  ])
}

function hasStatus(eb: Where, status: RunStatus) {
  switch (status) {
    case 'queued':
      return eb.and([eb('ended_at', 'is', null), eb('reported_at', 'is', null), eb('started_at', 'is', null)])
    case 'running':
      return eb.and([eb('ended_at', 'is', null), eb('reported_at', 'is', null), eb('started_at', 'is not', null)])
    case 'resultReported':
      return eb.and([eb('ended_at', 'is', null), eb('reported_at', 'is not', null)])
    default:
      return eb('outcome', '=', status)
  }
}

function changed(changes: Partial<CrewRun>): Partial<Row> {
  const { dueAt, process, startedAt, stopAsked, reportedAt, endedAt, outcome, endReason, exitCode, facts } = changes
  const { report, ticketDigest, ticketConnection, beganAt, durationMs, end } = changes
  const row: Partial<Row> = {}
  if (dueAt !== undefined) row.due_at = dueAt
  if (process !== undefined) row.process = process && JSON.stringify(process)
  if (startedAt !== undefined) row.started_at = startedAt
  if (beganAt !== undefined) row.began_at = beganAt
  if (durationMs !== undefined) row.duration_ms = durationMs
  if (stopAsked !== undefined) row.stop_asked = stopAsked
  if (reportedAt !== undefined) row.reported_at = reportedAt
  if (endedAt !== undefined) row.ended_at = endedAt
  if (outcome !== undefined) row.outcome = outcome
  if (endReason !== undefined) row.end_reason = endReason
  if (end !== undefined) row.ending = end && JSON.stringify(end)
  if (exitCode !== undefined) row.exit_code = exitCode
  if (facts !== undefined) row.facts = JSON.stringify(facts)
  if (report !== undefined) row.report = report && JSON.stringify(report)
  if (ticketDigest !== undefined) row.ticket_digest = ticketDigest
  if (ticketConnection !== undefined) row.ticket_connection = ticketConnection
  return row
}

function toRow(run: CrewRun) {
  return {
    id: run.id,
    crew_id: run.crewId,
    plan: run.plan,
    stage: run.stage,
    position: run.position,
    project_id: run.projectId,
    task_id: run.taskId,
    work: run.work,
    role: run.role,
    engine: run.engine,
    model: run.model,
    prompt: run.prompt,
    instructions: run.instructions,
    permission: run.permission,
    directory: run.directory,
    depth: run.depth,
    timeout_ms: run.timeoutMs,
    place: run.place,
    started_by: run.startedBy,
    created_at: run.createdAt,
    ...changed(run),
  }
}

function toCrewRun(row: Row): CrewRun {
  return {
    id: row.id,
    crewId: (row.crew_id ?? '') as CrewId,
    plan: row.plan ?? 0,
    stage: row.stage,
    position: row.position ?? 0,
    projectId: row.project_id,
    taskId: row.task_id,
    work: row.work === 'review' ? 'review' : null,
    role: row.role ?? '',
    engine: row.engine ?? '',
    model: row.model ?? '',
    prompt: row.prompt ?? '',
    instructions: row.instructions ?? '',
    permission: row.permission ?? 'edit',
    directory: row.directory ?? '',
    depth: row.depth ?? 1,
    timeoutMs: row.timeout_ms,
    place: row.place ?? '',
    startedBy: row.started_by ?? '',
    createdAt: row.created_at,
    dueAt: row.due_at,
    process: row.process === null ? null : (JSON.parse(row.process) as ProcessRecord),
    startedAt: row.started_at,
    beganAt: row.began_at,
    durationMs: row.duration_ms,
    stopAsked: row.stop_asked,
    reportedAt: row.reported_at,
    endedAt: row.ended_at,
    outcome: row.outcome as CrewOutcome | null,
    endReason: row.end_reason,
    end: row.ending === null ? null : (JSON.parse(row.ending) as RunEnd),
    exitCode: row.exit_code,
    facts: row.facts === null ? NO_FACTS : readFacts(row.facts, row.engine),
    report: row.report === null ? null : (JSON.parse(row.report) as Report),
    ticketDigest: row.ticket_digest,
    ticketConnection: row.ticket_connection,
  }
}
