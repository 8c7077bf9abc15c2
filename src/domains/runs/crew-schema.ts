import type { CrewId, ProjectId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

export type CrewTables = {
  crews: {
    id: CrewId
    description: string
    mode: string
    project_id: ProjectId | null
    created_by: string
    created_at: number
    deleted_at: number | null
    plans: number
    on_failure: string
  }
}

export const crewMigrations: Migration[] = [
  {
    id: 'crews.1',
    async up(db, column) {
      await db.schema
        .createTable('crews')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('description', 'text', c => c.notNull())
        .addColumn('mode', 'text', c => c.notNull())
        .addColumn('project_id', 'text')
        .addColumn('created_by', 'text', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('deleted_at', 'bigint')
        .addColumn('plans', 'integer', c => c.notNull())
        .addColumn('on_failure', 'text', c => c.notNull())
        .execute()
    },
  },
]
