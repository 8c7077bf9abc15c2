import { sql } from 'kysely'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

export type WorktreeTables = {
  worktrees: {
    id: WorktreeId
    project_id: ProjectId
    home: string
    repository: string
    object_format: string
    git_dir: string
    path: string
    device: string
    inode: string
    branch: string | null
    base_ref: string | null
    base_commit: string
    own: number
    made_branch: number
    state: string
    head: string | null
    setup: string
    lfs_missing: number
    drivers: string
    copied: number
    created_at: number
    trashed_at: number | null
    purge_at: number | null
    /** When it was first seen as due, in time that hubs have observed (hub-time.ts); null as long as it is not due. */
    due_seen: number | null
  }
  /** Looked at on a machine, named as its hub's Runner is. On `*`: from before this was kept. */
  worktree_setups: { machine: string; project_id: ProjectId; command: string; at: number }
}

export const worktreeMigrations: Migration[] = [
  {
    id: 'tabs.worktrees.1',
    async up(db, column) {
      await db.schema
        .createTable('worktrees')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('home', 'text', c => c.notNull())
        .addColumn('repository', 'text', c => c.notNull())
        .addColumn('object_format', 'text', c => c.notNull())
        .addColumn('git_dir', 'text', c => c.notNull())
        .addColumn('path', 'text', c => c.notNull())
        .addColumn('device', 'text', c => c.notNull())
        .addColumn('inode', 'text', c => c.notNull())
        .addColumn('branch', 'text')
        .addColumn('base_ref', 'text')
        .addColumn('base_commit', 'text', c => c.notNull())
        .addColumn('own', 'integer', c => c.notNull())
        .addColumn('made_branch', 'integer', c => c.notNull())
        .addColumn('state', 'text', c => c.notNull())
        .addColumn('head', 'text')
        .addColumn('setup', 'text', c => c.notNull())
        .addColumn('lfs_missing', 'integer', c => c.notNull())
        .addColumn('drivers', 'text', c => c.notNull())
        .addColumn('copied', 'integer', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('trashed_at', 'bigint')
        .addColumn('purge_at', 'bigint')
        .execute()
      await db.schema.createIndex('worktrees_project').on('worktrees').columns(['project_id', 'id']).execute()
      await db.schema.createIndex('worktrees_state').on('worktrees').columns(['home', 'state']).execute()
      // One row for one folder, as long as it is there.
      await sql`CREATE UNIQUE INDEX worktrees_folder ON worktrees (home, path)
        WHERE state IN ('creating', 'ready', 'removing', 'restoring')`.execute(db)
      await db.schema
        .createTable('worktree_setups')
        .addColumn('project_id', 'text', c => c.primaryKey().references('projects.id'))
        .addColumn('command', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
    },
  },
  {
    id: 'tabs.worktrees.time.1',
    async up(db) {
      await db.schema.alterTable('worktrees').addColumn('due_seen', 'bigint').execute()
    },
  },
  {
    id: 'tabs.worktrees.machines.1',
    async up(db) {
      await sql`ALTER TABLE worktree_setups RENAME TO worktree_setups_before`.execute(db)
      await db.schema
        .createTable('worktree_setups')
        .addColumn('machine', 'text', c => c.notNull().defaultTo('*'))
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('command', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('worktree_setups_place', ['machine', 'project_id'])
        .execute()
      await sql`INSERT INTO worktree_setups (machine, project_id, command, at)
        SELECT '*', project_id, command, at FROM worktree_setups_before`.execute(db)
      await db.schema.dropTable('worktree_setups_before').execute()
      await db.schema.createIndex('worktrees_homes').on('worktrees').columns(['project_id', 'home']).execute()
    },
  },
]
