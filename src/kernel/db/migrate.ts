import { type Kysely, sql } from 'kysely'
import type { TextSearch } from '../search/text-search.ts'
import type { Database } from './db.ts'

/** One step forward. Steps of all domains form one list; a step that shipped is never edited. */
export type Migration = {
  /** `events.1`: the owner and its own count. */
  readonly id: string
  up(db: Kysely<unknown>, column: ColumnTypes): Promise<void>
}

/** The few places where the two databases spell the same thing differently. */
export type ColumnTypes = {
  /** A number given out by the database, never twice as long as no row is deleted: of tables that have one, none is. */
  readonly serial: ReturnType<typeof sql>
  /** After the columns of a table: its rows lie in the order of its key, where the database can do that. */
  readonly clustered: ReturnType<typeof sql>
  readonly bytes: ReturnType<typeof sql>
  /** A number given by us, the row's key. */
  readonly key: ReturnType<typeof sql>
  /** Makes the tables it searches in. */
  readonly search: TextSearch
  /** From now on rows of this table are added and read: the database refuses to change or remove one. */
  appendOnly(db: Kysely<unknown>, table: string): Promise<void>
  /** The event log in the form in which this database keeps it; see event-table.ts. */
  narrowEvents(db: Kysely<unknown>): Promise<void>
  /** An id that lists are sorted by: the same order on both. */
  readonly id: ReturnType<typeof sql>
}

type MigrationTable = { migrations: { id: string; position: number; applied_at: number } }

export class SchemaIsNewer extends Error {
  /** One that this program does not know. */
  readonly migration: string | undefined

  constructor(migration: string | undefined) {
    super(
      `it was written by a newer Toryo${migration === undefined ? '' : ` (which made ${migration})`}; update this program to open it.`,
    )
    this.migration = migration
  }
}

/** What is not applied yet; refuses a database that was written by a newer program. */
export function pending(applied: readonly string[], migrations: readonly Migration[]): Migration[] {
  const known = new Set(migrations.map(migration => migration.id))
  const unknown = applied.find(id => !known.has(id))
  if (unknown) throw new SchemaIsNewer(unknown)
  return migrations.filter(migration => !applied.includes(migration.id))
}

export async function migrate(
  database: Pick<Database, 'tx'>,
  migrations: readonly Migration[],
  column: ColumnTypes,
  now: number,
): Promise<void> {
  await database.tx(async tx => {
    const db = tx.tables<MigrationTable>()
    const schema = tx.tables<unknown>()
    await sql`CREATE TABLE IF NOT EXISTS migrations (id TEXT PRIMARY KEY, position INTEGER NOT NULL, applied_at BIGINT NOT NULL)`.execute(
      db,
    )
    // Read inside the transaction: on a shared database another hub may have just done it.
    const applied = await db.selectFrom('migrations').select('id').execute()
    const ids = applied.map(row => row.id)
    for (const migration of pending(ids, migrations)) {
      await migration.up(schema, column)
      const row = { id: migration.id, position: migrations.indexOf(migration), applied_at: now }
      await db.insertInto('migrations').values(row).execute()
    }
  })
}
