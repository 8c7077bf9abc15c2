import type { CreateTableBuilder, Kysely } from 'kysely'
import type { ProjectId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

export type TrustTables = {
  /** What a person has looked at: the agent configuration of one directory. Made by `tabs.1`, when only tabs asked. */
  trusts: { directory: string; remote: string; hash: string; files: string; trusted_by: string; at: number }
  /** What Runners saw where they did not start an agent, and what it takes to decide again without them. */
  sightings: {
    project_id: ProjectId
    runner: string
    /** The task whose workspace it was; empty: the project's own folder. */
    task_id: string
    directory: string
    /** The folder that trust in it is kept for. */
    place: string
    remote: string
    files: string
    excess: string | null
    at: number
  }
}

const seen = <Table extends string, Column extends string>(table: CreateTableBuilder<Table, Column>) =>
  table
    .addColumn('directory', 'text', c => c.notNull())
    .addColumn('place', 'text', c => c.notNull())
    .addColumn('remote', 'text', c => c.notNull())
    .addColumn('files', 'text', c => c.notNull())
    .addColumn('excess', 'text')
    .addColumn('at', 'bigint', c => c.notNull())

export const trustMigrations: Migration[] = [
  {
    id: 'trust.1',
    async up(db) {
      await db.schema
        .createTable('sightings')
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('runner', 'text', c => c.notNull())
        .$call(seen)
        .addPrimaryKeyConstraint('sightings_key', ['project_id', 'runner'])
        .execute()
    },
  },
  {
    id: 'trust.own-runners',
    async up(db) {
      // All hubs' own Runners had this one name. Each looks again under its own.
      await (db as Kysely<TrustTables>).deleteFrom('sightings').where('runner', '=', 'local').execute()
    },
  },
  {
    id: 'trust.workspaces',
    async up(db) {
      // Runners look again at what they refused.
      await db.schema.dropTable('sightings').execute()
      await db.schema
        .createTable('sightings')
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('runner', 'text', c => c.notNull())
        .addColumn('task_id', 'text', c => c.notNull())
        .$call(seen)
        .addPrimaryKeyConstraint('sightings_place', ['project_id', 'runner', 'task_id'])
        .execute()
    },
  },
]
