import { sql } from 'kysely'
import type { AgentId, CrewId, ProjectId, RunId, SessionId, TaskId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

export type RunTables = {
  /** Executions of tasks (`exec_…`, with a task and a session) and runs of crews (`run_…`, with a crew and a process). */
  runs: {
    id: RunId
    task_id: TaskId | null
    agent_id: AgentId | null
    project_id: ProjectId | null
    session_id: SessionId | null
    /** Which of the pair's instances an execution was: its log is named after it. */
    epoch: number | null
    crew_id: CrewId | null
    plan: number | null
    stage: number | null
    position: number | null
    role: string | null
    engine: string | null
    model: string | null
    prompt: string | null
    instructions: string | null
    permission: string | null
    directory: string | null
    depth: number | null
    timeout_ms: number | null
    place: string | null
    started_by: string | null
    created_at: number
    due_at: number | null
    process: string | null
    started_at: number | null
    /** When it started in the hub's own time (hub-time.ts), which no setting of the clock moves: for how long it has run. */
    began_at: number | null
    stop_asked: string | null
    reported_at: number | null
    ended_at: number | null
    /** When its hub last said that it is there, in the hubs' own time. */
    heard_at: number | null
    outcome: string | null
    result: string | null
    summary: string | null
    end_reason: string | null
    exit_code: number | null
    duration_ms: number | null
    log_path: string | null
    facts: string | null
    report: string | null
    ticket_digest: string | null
    ticket_connection: string | null
    /** Of executions: when its agent got the task. */
    taken_at: number | null
    /** How it ended, as a fact that a sentence is made from. */
    ending: string | null
    /** `review`: it was started to review reported work, and ends with a verdict. */
    work: string | null
  }
}

export const runMigrations: Migration[] = [
  {
    id: 'runs.1',
    async up(db, column) {
      await db.schema
        .createTable('runs')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text')
        .addColumn('agent_id', 'text')
        .addColumn('project_id', 'text')
        .addColumn('session_id', 'text')
        .addColumn('crew_id', 'text')
        .addColumn('plan', 'integer')
        .addColumn('stage', 'integer')
        .addColumn('position', 'integer')
        .addColumn('role', 'text')
        .addColumn('engine', 'text')
        .addColumn('model', 'text')
        .addColumn('prompt', 'text')
        .addColumn('instructions', 'text')
        .addColumn('permission', 'text')
        .addColumn('directory', 'text')
        .addColumn('depth', 'integer')
        .addColumn('timeout_ms', 'bigint')
        .addColumn('place', 'text')
        .addColumn('started_by', 'text')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('process', 'text')
        .addColumn('started_at', 'bigint')
        .addColumn('stop_asked', 'text')
        .addColumn('reported_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addColumn('heard_at', 'bigint')
        .addColumn('outcome', 'text')
        .addColumn('result', 'text')
        .addColumn('summary', 'text')
        .addColumn('end_reason', 'text')
        .addColumn('exit_code', 'integer')
        .addColumn('duration_ms', 'bigint')
        .addColumn('log_path', 'text')
        .addColumn('facts', 'text')
        .addColumn('report', 'text')
        .addColumn('ticket_digest', 'text', c => c.unique())
        .addColumn('ticket_connection', 'text')
        .execute()
      await db.schema.createIndex('runs_task').on('runs').columns(['task_id', 'id']).execute()
      await db.schema.createIndex('runs_agent').on('runs').columns(['agent_id', 'id']).execute()
      await db.schema.createIndex('runs_session').on('runs').column('session_id').execute()
      await db.schema.createIndex('runs_crew').on('runs').columns(['crew_id', 'plan', 'stage', 'position']).execute()
      await db.schema.createIndex('runs_open').on('runs').columns(['ended_at', 'crew_id']).execute()
    },
  },
  {
    id: 'runs.2',
    async up(db) {
      // Runs that failed were stored with what their program said of its last turn.
      await sql`UPDATE runs SET end_reason = 'error' WHERE end_reason = 'success' AND outcome <> 'completed'`.execute(
        db,
      )
    },
  },
  {
    id: 'runs.time.1',
    async up(db) {
      await db.schema.alterTable('runs').addColumn('began_at', 'bigint').execute()
    },
  },
  {
    id: 'runs.epoch.1',
    async up(db) {
      // Until now sessions knew it, which do not stay for ever.
      await db.schema.alterTable('runs').addColumn('epoch', 'integer').execute()
      await sql`UPDATE runs SET epoch = (SELECT sessions.epoch FROM sessions WHERE sessions.id = runs.session_id) WHERE crew_id IS NULL`.execute(
        db,
      )
    },
  },
  {
    id: 'runs.scans.1',
    async up(db) {
      await db.schema.createIndex('runs_heard').on('runs').columns(['ended_at', 'heard_at']).execute()
    },
  },
  {
    id: 'runs.3',
    async up(db) {
      await db.schema.alterTable('runs').addColumn('taken_at', 'bigint').execute()
      await db.schema.alterTable('runs').addColumn('ending', 'text').execute()
      await db.schema.createIndex('runs_epoch').on('runs').columns(['agent_id', 'project_id', 'epoch']).execute()
    },
  },
  {
    id: 'runs.4',
    async up(db) {
      await db.schema.alterTable('runs').addColumn('work', 'text').execute()
    },
  },
  {
    id: 'runs.5',
    async up(db) {
      // Sums of a fortnight must not read the runs of all years.
      await db.schema.createIndex('runs_started').on('runs').column('started_at').execute()
    },
  },
]
