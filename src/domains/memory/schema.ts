import { sql } from 'kysely'
import type { TaskId } from '#contract/id-types.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import type { SubstringTable } from '#kernel/search/text-search.ts'
import { EVERYWHERE } from './model.ts'

export type MemoryTables = {
  topics: {
    id: number
    project: number
    title: string
    description: string | null
    parent_id: number | null
    created_at: number
  }
  entries: { id: number; project: number; topic_id: number; content: string; created_at: number }
  decisions: {
    id: number
    project: number | null
    topic_id: number | null
    decision: string
    reason: string
    supersedes: number | null
    created_at: number
    /** Who decided, where that is a person with a name. */
    person: string | null
  }
  /** Tasks that a decision names, and tasks whose reports cite it. */
  decision_tasks: { decision_id: number; task_id: TaskId; named_at: number | null; cited_at: number | null }
}

/** Made from the data, and made again when the way they are made changes. */
export type IndexTables = {
  memory_index: {
    one: number
    version: string
    /** Next id to index and the last one that is the rebuild's to do, for each kind; null when all is indexed. */
    rebuild: string | null
    /** The last id of each kind that is in the indexes, where records are gathered; those behind it wait. */
    indexed: string | null
  }
  memory_scopes: { scope: number; documents: number; length: number }
  memory_documents: { id: number; length: number; frequencies: Uint8Array }
  memory_vectors: { id: number; scope: number; model: string; vector: Uint8Array }
}

export const TOPIC_TEXTS: SubstringTable = {
  name: 'topic_texts',
  source: { table: 'topics', a: 'title', b: 'description', scope: 'project' },
}
export const DECISION_TEXTS: SubstringTable = {
  name: 'decision_texts',
  source: { table: 'decisions', a: 'decision', b: 'reason', scope: 'project', unscoped: EVERYWHERE },
}

export const memoryMigrations: Migration[] = [
  {
    id: 'memory.1',
    async up(db, column) {
      // Keys of (project, id): a row of another project cannot be referred to.
      await db.schema
        .createTable('topics')
        .addColumn('id', column.serial)
        .addColumn('project', 'bigint', c => c.notNull().references('projects.number'))
        .addColumn('title', 'text', c => c.notNull())
        .addColumn('description', 'text')
        .addColumn('parent_id', 'bigint')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addUniqueConstraint('topics_in_project', ['project', 'id'])
        .addForeignKeyConstraint('topics_parent', ['project', 'parent_id'], 'topics', ['project', 'id'])
        .execute()
      await db.schema.createIndex('topics_children').on('topics').columns(['project', 'parent_id', 'id']).execute()
      await db.schema
        .createTable('entries')
        .addColumn('id', column.serial)
        .addColumn('project', 'bigint', c => c.notNull())
        .addColumn('topic_id', 'bigint', c => c.notNull())
        .addColumn('content', 'text', c => c.notNull())
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addForeignKeyConstraint('entries_topic', ['project', 'topic_id'], 'topics', ['project', 'id'])
        .execute()
      await db.schema.createIndex('entries_of_topic').on('entries').columns(['topic_id', 'id']).execute()
      await db.schema
        .createTable('decisions')
        .addColumn('id', column.serial)
        .addColumn('project', 'bigint', c => c.references('projects.number'))
        .addColumn('topic_id', 'bigint')
        .addColumn('decision', 'text', c => c.notNull())
        .addColumn('reason', 'text', c => c.notNull())
        .addColumn('supersedes', 'bigint')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addUniqueConstraint('decisions_in_project', ['project', 'id'])
        .addForeignKeyConstraint('decisions_topic', ['project', 'topic_id'], 'topics', ['project', 'id'])
        .addForeignKeyConstraint('decisions_supersede', ['project', 'supersedes'], 'decisions', ['project', 'id'])
        .execute()
      await db.schema.createIndex('decisions_of_topic').on('decisions').columns(['topic_id', 'id']).execute()
      await db.schema.createIndex('decisions_superseding').on('decisions').columns(['supersedes', 'id']).execute()
    },
  },
  {
    id: 'memory.2',
    async up(db, column) {
      await db.schema
        .createTable('memory_index')
        .addColumn('one', column.key)
        .addColumn('version', 'text', c => c.notNull())
        .addColumn('rebuild', 'text')
        .execute()
      await column.search.substring.create(db, TOPIC_TEXTS)
      await column.search.substring.create(db, DECISION_TEXTS)
      await column.search.ranked.create(db)
      await db.schema
        .createTable('memory_scopes')
        .addColumn('scope', column.key)
        .addColumn('documents', 'bigint', c => c.notNull())
        .addColumn('length', 'bigint', c => c.notNull())
        .execute()
      await db.schema
        .createTable('memory_documents')
        .addColumn('id', column.key)
        .addColumn('scope', 'bigint', c => c.notNull())
        .addColumn('topic_id', 'bigint')
        .addColumn('length', 'integer', c => c.notNull())
        .addColumn('frequencies', column.bytes, c => c.notNull())
        .execute()
      await db.schema.createIndex('memory_documents_topic').on('memory_documents').columns(['topic_id', 'id']).execute()
      await db.schema
        .createTable('memory_vectors')
        .addColumn('id', column.key)
        .addColumn('scope', 'bigint', c => c.notNull())
        .addColumn('model', 'text', c => c.notNull())
        .addColumn('vector', column.bytes, c => c.notNull())
        .execute()
      await db.schema
        .createIndex('memory_vectors_scope')
        .on('memory_vectors')
        .columns(['scope', 'model', 'id'])
        .execute()
    },
  },
  {
    id: 'memory.3',
    async up(db, column) {
      for (const table of ['topics', 'entries', 'decisions']) await column.appendOnly(db, table)
    },
  },
  {
    id: 'memory.4',
    // The indexes of earlier versions; they are made again in the background, since their version is another now.
    async up(db, column) {
      for (const table of [TOPIC_TEXTS, DECISION_TEXTS]) await column.search.substring.renew(db, table)
      await column.search.ranked.renew(db)
    },
  },
  {
    id: 'memory.tasks.1',
    async up(db, column) {
      await db.schema
        .createTable('decision_tasks')
        .addColumn('decision_id', 'bigint', c => c.notNull().references('decisions.id'))
        .addColumn('task_id', column.id, c => c.notNull().references('tasks.id'))
        .addColumn('named_at', 'bigint')
        .addColumn('cited_at', 'bigint')
        .addPrimaryKeyConstraint('decision_tasks_pair', ['decision_id', 'task_id'])
        .execute()
      await db.schema.createIndex('decision_tasks_task').on('decision_tasks').column('task_id').execute()
    },
  },
  {
    id: 'memory.people.1',
    async up(db) {
      await db.schema.alterTable('decisions').addColumn('person', 'text').execute()
    },
  },
  {
    id: 'memory.5',
    // Indexes in a third of the space, made again in the background, since their version is another now.
    async up(db, column) {
      await db.schema.alterTable('memory_index').addColumn('indexed', 'text').execute()
      // Without a state nothing is asked of the indexes until they are being made.
      await sql`DELETE FROM memory_index`.execute(db)
      for (const table of [TOPIC_TEXTS, DECISION_TEXTS]) await column.search.substring.renew(db, table)
      await column.search.ranked.renew(db)
      await db.schema.dropTable('memory_documents').execute()
      await db.schema
        .createTable('memory_documents')
        .addColumn('id', column.key)
        .addColumn('length', 'integer', c => c.notNull())
        .addColumn('frequencies', column.bytes, c => c.notNull())
        .execute()
      // Few decisions replace another, and only those are looked for by it.
      await db.schema.dropIndex('decisions_superseding').execute()
      await db.schema
        .createIndex('decisions_superseding')
        .on('decisions')
        .columns(['supersedes', 'id'])
        .where('supersedes', 'is not', null)
        .execute()
    },
  },
]
