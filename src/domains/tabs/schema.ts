import { sql } from 'kysely'
import type { MessageId, ProjectId, TabId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'

export type TabTables = {
  tabs: {
    id: TabId
    /** The hub whose host has the terminal; several may share a database. */
    hub: string
    engine: string
    project_id: ProjectId
    directory: string
    branch: string
    base: string | null
    prompt: string | null
    worktree_id: WorktreeId | null
    worktree_path: string | null
    session_id: string | null
    /** What its engine is started with. */
    permission: string
    depth: number
    launched_by: string
    parent_id: string | null
    /** JSON of the record by which its process is found, planned before the start. */
    process: string | null
    ticket_digest: string | null
    /** JSON: the digests of the connections that hold it. */
    ticket_connections: string
    created_at: number
    /** The same in the hub's own time (hub-time.ts), which no setting of the clock moves. */
    began_at: number
    opened_at: number | null
    ready_at: number | null
    stop_requested_at: number | null
    ended_at: number | null
    end_reason: string | null
    exit_code: number | null
    exit_signal: string | null
    /** JSON of the refusal or failure. */
    problem: string | null
    /** The task in whose workspace it works. */
    task_id: TaskId | null
    /** The conversation that it goes on with. */
    resumes: string | null
  }
  messages: {
    seq: number
    id: MessageId
    tab_id: TabId
    project_id: ProjectId
    /** As the recipient reads it: a tab's id, or `operator`. */
    sender: string
    /** Who it really was. */
    caller: string
    kind: string
    /** As it was sent. */
    body: string
    /** As it is typed, without the header. */
    line: string
    hidden: number
    hops: number
    queued_at: number
    /** When it began to be typed: from then on its tab may know it. */
    typed_at: number | null
    delivered_at: number | null
    failed_at: number | null
    reason: string | null
  }
}

export const tabMigrations: Migration[] = [
  {
    id: 'tabs.1',
    async up(db, column) {
      await db.schema
        .createTable('tabs')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('hub', 'text', c => c.notNull())
        .addColumn('engine', 'text', c => c.notNull())
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('directory', 'text', c => c.notNull())
        .addColumn('branch', 'text', c => c.notNull())
        .addColumn('base', 'text')
        .addColumn('prompt', 'text')
        .addColumn('worktree_id', 'text')
        .addColumn('worktree_path', 'text')
        .addColumn('session_id', 'text')
        .addColumn('depth', 'integer', c => c.notNull())
        .addColumn('launched_by', 'text', c => c.notNull())
        .addColumn('parent_id', 'text')
        .addColumn('process', 'text')
        .addColumn('ticket_digest', 'text', c => c.unique())
        .addColumn('ticket_connections', 'text', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('opened_at', 'bigint')
        .addColumn('ready_at', 'bigint')
        .addColumn('stop_requested_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addColumn('end_reason', 'text')
        .addColumn('exit_code', 'integer')
        .addColumn('exit_signal', 'text')
        .addColumn('problem', 'text')
        .execute()
      await db.schema.createIndex('tabs_live').on('tabs').columns(['ended_at', 'hub']).execute()
      await db.schema.createIndex('tabs_launches').on('tabs').columns(['hub', 'created_at']).execute()
      await db.schema
        .createTable('messages')
        .addColumn('seq', column.serial)
        .addColumn('id', 'text', c => c.notNull().unique())
        .addColumn('tab_id', column.id, c => c.notNull().references('tabs.id'))
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('sender', 'text', c => c.notNull())
        .addColumn('caller', 'text', c => c.notNull())
        .addColumn('kind', 'text', c => c.notNull())
        .addColumn('body', 'text', c => c.notNull())
        .addColumn('line', 'text', c => c.notNull())
        .addColumn('hidden', 'integer', c => c.notNull())
        .addColumn('hops', 'integer', c => c.notNull())
        .addColumn('queued_at', 'bigint', c => c.notNull())
        .addColumn('typed_at', 'bigint')
        .addColumn('delivered_at', 'bigint')
        .addColumn('failed_at', 'bigint')
        .addColumn('reason', 'text')
        .execute()
      await db.schema.createIndex('messages_tab').on('messages').columns(['tab_id', 'seq']).execute()
      await db.schema
        .createTable('trusts')
        .addColumn('directory', 'text', c => c.notNull())
        .addColumn('remote', 'text', c => c.notNull())
        .addColumn('hash', 'text', c => c.notNull())
        .addColumn('files', 'text', c => c.notNull())
        .addColumn('trusted_by', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('trusts_place', ['directory', 'remote', 'hash'])
        .execute()
    },
  },
  {
    id: 'tabs.2',
    async up(db) {
      // Until now there was only this one.
      await db.schema
        .alterTable('tabs')
        .addColumn('permission', 'text', c => c.notNull().defaultTo('edit'))
        .execute()
    },
  },
  {
    id: 'tabs.time.1',
    async up(db) {
      await db.schema
        .alterTable('tabs')
        .addColumn('began_at', 'bigint', c => c.notNull().defaultTo(0))
        .execute()
      await sql`UPDATE tabs SET began_at = created_at`.execute(db)
      await db.schema.createIndex('tabs_began').on('tabs').columns(['hub', 'began_at']).execute()
      await db.schema.dropIndex('tabs_launches').execute()
    },
  },
  {
    id: 'tabs.workspaces',
    async up(db) {
      await db.schema.alterTable('tabs').addColumn('task_id', 'text').execute()
      await db.schema.createIndex('tabs_task').on('tabs').columns(['task_id', 'ended_at']).execute()
    },
  },
  {
    id: 'tabs.resumes',
    async up(db) {
      await db.schema.alterTable('tabs').addColumn('resumes', 'text').execute()
    },
  },
]
