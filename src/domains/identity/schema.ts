import type { Kysely } from 'kysely'
import type { AgentId, InstanceId, PageId, ProjectId, SessionId, TaskId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import { digest } from '#kernel/ids.ts'
import { scrubEvents } from './scrub.ts'

/** Deadlines, and all times of an instance, are in the hub's own time (hub-time.ts); what people read is the wall clock's. */
export type IdentityTables = {
  agents: {
    id: AgentId
    name: string
    engine: string
    role: string
    system_prompt: string
    passkey: string
    enabled: number
    created_at: number
    /** Given to it besides the tools of its own work, joined by commas. */
    toolsets: string
  }
  /**
   * Failed sign-ins by claimed id, known or not, so that guessing looks the same either way. As a digest: what is claimed may be a
   * passkey that was given in the wrong place.
   */
  sign_in_failures: { claimed_digest: string; failures: number; blocked_until: number }
  /** The one claim on (agent, project). `epoch` grows with every instance and fences the ones before. */
  leases: {
    agent_id: AgentId
    project_id: ProjectId
    epoch: number
    ticket_digest: string | null
    ticket_connection: string | null
    start_by: number | null
    session_id: SessionId | null
    restarts: number
    next_start_at: number
  }
  sessions: {
    id: SessionId
    token_digest: string
    agent_id: AgentId
    project_id: ProjectId
    epoch: number
    connection_digest: string | null
    /** The how-manieth sign-in on its connection. */
    turn: number
    created_at: number
    expires_at: number
    ended_at: number | null
    end_reason: string | null
    report: string | null
  }
  /** Who may start agents. The digest of the one that the hub itself brings along is not stored. */
  runners: {
    name: string
    token_digest: string | null
    /** What can be started where it is, joined by spaces. */
    engines: string
    /** Whether it says which folders it has; one of an earlier version does not. */
    says_folders: number
    created_at: number
    seen_at: number | null
    revoked_at: number | null
    /** The name of the operator's token with which it was made. */
    made_by: string | null
  }
  /** Tokens with the operator's rights that people created; the hub's own is not stored. */
  operator_tokens: {
    name: string
    token_digest: string
    created_at: number
    used_at: number | null
    revoked_at: number | null
  }
  /** The project folders that a Runner looked for on its machine, and whether they are there. */
  runner_folders: { runner: string; project_id: ProjectId; directory: string; here: number }
  /** One engine process for one epoch of a lease, from the claim to its proven end. */
  instances: {
    id: InstanceId
    agent_id: AgentId
    project_id: ProjectId
    epoch: number
    engine: string
    /** What its Runner starts it with. */
    permission: string
    runner: string
    started_at: number
    held_until: number
    /** Its Runner reports on it; without that no process reports its end. */
    supervised: number
    ended_at: number | null
    /** Its record, as its Runner says; a Runner of an earlier version says none. */
    process: string | null
    /** Of the ticket it was started with and the connection that used it first: one that was replaced is still known by them. */
    ticket_digest: string | null
    ticket_connection: string | null
    /** The task in whose workspace it works; null: in the project's folder, on whatever is most pressing. */
    task_id: TaskId | null
  }
  /** For one sign-in to the dashboard each. */
  login_links: { token_digest: string; expires_at: number; made_by: string | null }
  /** Browsers that signed in. */
  pages: {
    id: PageId
    cookie_digest: string
    token_digest: string
    browser: string
    created_at: number
    seen_at: number
    expires_at: number
    revoked_at: number | null
    /** The name of the token with which its login link was made. */
    made_by: string | null
  }
}

export const identityMigrations: Migration[] = [
  {
    id: 'identity.1',
    async up(db, column) {
      await db.schema
        .createTable('agents')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('name', 'text', c => c.notNull().unique())
        .addColumn('engine', 'text', c => c.notNull())
        .addColumn('role', 'text', c => c.notNull())
        .addColumn('system_prompt', 'text', c => c.notNull())
        .addColumn('passkey', 'text', c => c.notNull())
        .addColumn('enabled', 'integer', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createTable('sign_in_failures')
        .addColumn('agent_id', 'text', c => c.primaryKey())
        .addColumn('failures', 'integer', c => c.notNull())
        .addColumn('blocked_until', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createTable('leases')
        .addColumn('agent_id', column.id, c => c.notNull().references('agents.id'))
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('epoch', 'integer', c => c.notNull())
        .addColumn('ticket_digest', 'text', c => c.unique())
        .addColumn('ticket_connection', 'text')
        .addColumn('start_by', 'bigint')
        .addColumn('session_id', 'text')
        .addColumn('restarts', 'integer', c => c.notNull())
        .addColumn('next_start_at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('leases_pair', ['agent_id', 'project_id'])
        .execute()
      await db.schema
        .createTable('sessions')
        .addColumn('id', 'text', c => c.primaryKey())
        .addColumn('token_digest', 'text', c => c.notNull().unique())
        .addColumn('agent_id', column.id, c => c.notNull().references('agents.id'))
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('epoch', 'integer', c => c.notNull())
        .addColumn('connection_digest', 'text')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('expires_at', 'bigint', c => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('end_reason', 'text')
        .addColumn('report', 'text')
        .execute()
      await db.schema.createIndex('sessions_connection').on('sessions').column('connection_digest').execute()
      await db.schema.createIndex('sessions_open').on('sessions').columns(['ended_at', 'expires_at']).execute()
    },
  },
  {
    id: 'identity.2',
    async up(db, column) {
      await db.schema
        .createTable('runners')
        .addColumn('name', column.id, c => c.primaryKey())
        .addColumn('token_digest', 'text', c => c.unique())
        .addColumn('engines', 'text', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('seen_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .execute()
      await db.schema
        .createTable('instances')
        .addColumn('id', 'text', c => c.primaryKey())
        .addColumn('agent_id', column.id, c => c.notNull().references('agents.id'))
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('epoch', 'integer', c => c.notNull())
        .addColumn('engine', 'text', c => c.notNull())
        .addColumn('runner', 'text', c => c.notNull())
        .addColumn('started_at', 'bigint', c => c.notNull())
        .addColumn('held_until', 'bigint', c => c.notNull())
        .addColumn('supervised', 'integer', c => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addUniqueConstraint('instances_epoch', ['agent_id', 'project_id', 'epoch'])
        .execute()
      await db.schema.createIndex('instances_open').on('instances').columns(['ended_at', 'held_until']).execute()
      await db.schema.createIndex('instances_started').on('instances').column('started_at').execute()
    },
  },
  {
    id: 'identity.3',
    async up(db) {
      await db.schema
        .alterTable('sessions')
        .addColumn('turn', 'integer', c => c.notNull().defaultTo(0))
        .execute()
      // Until now there was only this one.
      await db.schema
        .alterTable('instances')
        .addColumn('permission', 'text', c => c.notNull().defaultTo('edit'))
        .execute()
      await db.schema.alterTable('sign_in_failures').renameColumn('agent_id', 'claimed_digest').execute()
      const q = db as Kysely<IdentityTables>
      for (const { claimed_digest: claimed } of await q.selectFrom('sign_in_failures').selectAll().execute())
        await q
          .updateTable('sign_in_failures')
          .set({ claimed_digest: digest(claimed) })
          .where('claimed_digest', '=', claimed)
          .execute()
      await scrubEvents(db)
    },
  },
  {
    id: 'identity.4',
    async up(db) {
      await db.schema
        .alterTable('agents')
        .addColumn('toolsets', 'text', c => c.notNull().defaultTo(''))
        .execute()
    },
  },
  {
    id: 'identity.5',
    async up(db) {
      await db.schema.alterTable('instances').addColumn('process', 'text').execute()
    },
  },
  {
    id: 'identity.tickets.1',
    async up(db) {
      for (const name of ['ticket_digest', 'ticket_connection'])
        await db.schema.alterTable('instances').addColumn(name, 'text').execute()
      await db.schema.createIndex('instances_ticket').on('instances').column('ticket_digest').execute()
    },
  },
  {
    id: 'identity.runner-folders',
    async up(db, column) {
      await db.schema
        .alterTable('runners')
        .addColumn('says_folders', 'integer', c => c.notNull().defaultTo(0))
        .execute()
      await db.schema
        .createTable('runner_folders')
        .addColumn('runner', column.id, c => c.notNull())
        .addColumn('project_id', column.id, c => c.notNull())
        .addColumn('directory', 'text', c => c.notNull())
        .addColumn('here', 'integer', c => c.notNull())
        .addPrimaryKeyConstraint('runner_folders_key', ['runner', 'project_id'])
        .execute()
      // All hubs' own Runners had this one name. Each comes back under its own.
      await (db as Kysely<IdentityTables>).deleteFrom('runners').where('name', '=', 'local').execute()
    },
  },
  {
    id: 'identity.tokens',
    async up(db, column) {
      await db.schema
        .createTable('operator_tokens')
        .addColumn('name', column.id, c => c.primaryKey())
        .addColumn('token_digest', 'text', c => c.notNull().unique())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .execute()
    },
  },
  {
    id: 'identity.scans.1',
    async up(db) {
      // What the hub looks for every few seconds is found without reading what is not due.
      await db.schema.createIndex('leases_start').on('leases').column('start_by').execute()
      await db.schema.createIndex('leases_session').on('leases').column('session_id').execute()
      await db.schema.createIndex('sign_in_failures_over').on('sign_in_failures').column('blocked_until').execute()
    },
  },
  {
    id: 'identity.workspaces',
    async up(db) {
      await db.schema.alterTable('instances').addColumn('task_id', 'text').execute()
      await db.schema.createIndex('instances_task').on('instances').columns(['task_id', 'ended_at']).execute()
    },
  },
  {
    id: 'identity.pages',
    async up(db, column) {
      await db.schema
        .createTable('login_links')
        .addColumn('token_digest', 'text', c => c.primaryKey())
        .addColumn('expires_at', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createTable('pages')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('cookie_digest', 'text', c => c.notNull().unique())
        .addColumn('token_digest', 'text', c => c.notNull())
        .addColumn('browser', 'text', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('seen_at', 'bigint', c => c.notNull())
        .addColumn('expires_at', 'bigint', c => c.notNull())
        .addColumn('revoked_at', 'bigint')
        .execute()
    },
  },
  {
    id: 'identity.made_by.1',
    async up(db) {
      for (const table of ['login_links', 'pages', 'runners'])
        await db.schema.alterTable(table).addColumn('made_by', 'text').execute()
    },
  },
]
