// A database without a hub on it, for tests of the kernel.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#kernel/db/db.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import { openPostgres } from '#kernel/db/postgres.ts'
import { openSqlite } from '#kernel/db/sqlite.ts'
import type { DatabaseKind } from './hub.ts'
import { newSqlite } from './new-sqlite.ts'
import { freshPostgres, migratedPostgres } from './postgres.ts'

export type Place = AsyncDisposable & {
  /** The file or the URL. */
  readonly db: string
  open(migrations: readonly Migration[]): Promise<Database & AsyncDisposable>
}

/**
 * Somewhere for one database, which can be opened more than once. `migrated`: with the tables of a hub, which cost more processor
 * time to make than most tests take.
 */
export async function placeFor(kind: DatabaseKind, { migrated = false } = {}): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'toryo-db-'))
  const postgres = kind === 'postgres' ? await (migrated ? migratedPostgres() : freshPostgres()) : undefined
  const db = postgres?.url ?? join(home, 'test.db')
  if (!postgres && migrated) await newSqlite(db)
  let opened = 0
  return {
    db,
    open: async migrations => {
      const open = postgres ? openPostgres : openSqlite
      opened += 1
      const database = await open(db, migrations, () => opened)
      return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() })
    },
    [Symbol.asyncDispose]: async () => {
      await postgres?.drop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A log that keeps its lines for the test to read. */
export function quietLog() {
  const lines: unknown[][] = []
  const keep = (...line: unknown[]) => void lines.push(line)
  return { lines, error: keep, warn: keep, info: keep, debug: keep }
}
