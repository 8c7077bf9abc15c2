import type { ProjectId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

export type PhaseTables = {
  phase_prompts: {
    number: number
    source: string
    phase: string
    language: string
    version: number
    sha256: string
    content: string
    author: string
    at: number
  }
  phase_states: {
    project_id: ProjectId
    phase: string
    status: string
    started_at: number
    completed_at: number | null
    result: string | null
    prompts_upto: number | null
    revision: number
    reason: string | null
  }
  phase_transitions: {
    number: number
    project_id: ProjectId
    phase: string
    request: string
    result: string
    next_phase: string | null
    missing: string
    caller: string
    at: number
    round: number
  }
  phase_checkpoints: {
    number: number
    project_id: ProjectId
    phase: string
    name: string
    data: string
    caller: string
    at: number
    round: number
  }
  /** Each time a project left the straight way: back to an earlier phase, or into another round. */
  phase_turns: {
    number: number
    project_id: ProjectId
    kind: string
    phase: string
    round: number
    reason: string | null
    states: string
    caller: string
    at: number
  }
}

export const phaseMigrations: Migration[] = [
  {
    id: 'phases.1',
    async up(db, column) {
      await db.schema
        .createTable('phase_prompts')
        .addColumn('number', column.serial)
        .addColumn('source', 'text', c => c.notNull())
        .addColumn('phase', 'text', c => c.notNull())
        .addColumn('language', 'text', c => c.notNull())
        .addColumn('version', 'integer', c => c.notNull())
        .addColumn('sha256', 'text', c => c.notNull())
        .addColumn('content', 'text', c => c.notNull())
        .addColumn('author', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        // A source may change what it says under a version it gave out before; both are kept.
        .addUniqueConstraint('phase_prompts_version', ['source', 'phase', 'language', 'version', 'sha256'])
        .execute()
      await db.schema
        .createIndex('phase_prompts_newest')
        .on('phase_prompts')
        .columns(['source', 'phase', 'language', 'number'])
        .execute()
      await db.schema
        .createTable('phase_states')
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('phase', 'text', c => c.notNull())
        .addColumn('status', 'text', c => c.notNull())
        .addColumn('started_at', 'bigint', c => c.notNull())
        .addColumn('completed_at', 'bigint')
        .addColumn('result', 'text')
        .addColumn('prompts_upto', 'bigint')
        .addColumn('revision', 'integer', c => c.notNull())
        .addPrimaryKeyConstraint('phase_states_key', ['project_id', 'phase'])
        .execute()
      await db.schema
        .createTable('phase_transitions')
        .addColumn('number', column.serial)
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('phase', 'text', c => c.notNull())
        .addColumn('request', 'text', c => c.notNull())
        .addColumn('result', 'text', c => c.notNull())
        .addColumn('next_phase', 'text')
        .addColumn('missing', 'text', c => c.notNull())
        .addColumn('caller', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createTable('phase_checkpoints')
        .addColumn('number', column.serial)
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('phase', 'text', c => c.notNull())
        .addColumn('name', 'text', c => c.notNull())
        .addColumn('data', 'text', c => c.notNull())
        .addColumn('caller', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
      for (const table of ['phase_transitions', 'phase_checkpoints'])
        await db.schema.createIndex(`${table}_phase`).on(table).columns(['project_id', 'phase', 'number']).execute()
    },
  },
  {
    id: 'phases.2',
    async up(db, column) {
      await db.schema.alterTable('phase_states').addColumn('reason', 'text').execute()
      // What was there, or comes from an older export, belongs to the first round.
      for (const table of ['phase_transitions', 'phase_checkpoints'])
        await db.schema
          .alterTable(table)
          .addColumn('round', 'integer', c => c.notNull().defaultTo(1))
          .execute()
      await db.schema
        .createTable('phase_turns')
        .addColumn('number', column.serial)
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('kind', 'text', c => c.notNull())
        .addColumn('phase', 'text', c => c.notNull())
        .addColumn('round', 'integer', c => c.notNull())
        .addColumn('reason', 'text')
        .addColumn('states', 'text', c => c.notNull())
        .addColumn('caller', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
      await db.schema.createIndex('phase_turns_project').on('phase_turns').columns(['project_id', 'number']).execute()
    },
  },
]
