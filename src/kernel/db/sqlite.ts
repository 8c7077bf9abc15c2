// Owns one SQLite file: how it is made, its writing and its reading connection. sqlite-inspect.ts decides whether it is trusted.
// One hub per file; the lock that says so is the caller's (lock.ts).
import fs, { chmodSync, constants, copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { CoreError } from '#contract/errors.ts'
import { syncFile, syncFolder } from '#system/files.ts'
import { refuseChanges } from './append-only-sqlite.ts'
import { sqliteSearch } from '../search/sqlite-search.ts'
import { DatabaseRefused } from './database-refused.ts'
import type { Database } from './db.ts'
import { migrate, type Migration } from './migrate.ts'
import { backUp, makeNew, PARTS } from './sqlite-backup.ts'
import { execute, kyselyOn } from './sqlite-dialect.ts'
import { narrowEvents, sqliteEvents } from './sqlite-events.ts'
import { APPLICATION_ID, inspect } from './sqlite-inspect.ts'
import { Sqlite, sqliteCode } from './sqlite-port.ts'
import { type Writer, WriteQueue } from './write-queue.ts'

const COLUMNS = {
  // Without AUTOINCREMENT, which writes a page of its own with every row: nothing that is numbered is ever deleted.
  serial: sql`INTEGER PRIMARY KEY`,
  clustered: sql`WITHOUT ROWID`,
  id: sql`TEXT`,
  bytes: sql`BLOB`,
  key: sql`INTEGER PRIMARY KEY`,
  search: sqliteSearch,
  appendOnly: refuseChanges,
  narrowEvents,
}

export async function openSqlite(file: string, migrations: readonly Migration[], now: () => number): Promise<Database> {
  if (!existsSync(file)) await create(file, migrations, now())
  const missing = inspect(file, migrations)
  const database = connect(file)
  if (missing.length === 0) return database
  try {
    await database.backup(`${file}.before-${missing[0]?.id}-${now()}`)
    await bringUpToDate(database, migrations, now())
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Made aside and moved into place whole: a crash while creating never leaves an empty file that looks like data. */
async function create(file: string, migrations: readonly Migration[], now: number): Promise<void> {
  // An empty log holds nothing and belongs to no database.
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size)
    throw new DatabaseRefused({
      en: `${file} is missing but its write-ahead log ${file}-wal is still there; put the database back beside it, or move the log away.`,
      ja: `${file} がありませんが、その先行書き込みログ ${file}-wal が残っています。データベースを元の場所に戻すか、ログを移動してください。`,
    })
  const draft = `${file}.new`
  removeDraft(draft)
  // Ours before SQLite looks for them: it would also take what another user has put there.
  for (const part of PARTS) makeNew(draft + part)
  const setup = new Sqlite(draft)
  setup.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA journal_mode = WAL`)
  setup.close()
  const database = connect(draft)
  await bringUpToDate(database, migrations, now)
  await database.close()
  // A copy, since the library keeps the draft's inode open until its statements are collected.
  const whole = `${file}.whole`
  rmSync(whole, { force: true })
  copyFileSync(draft, whole, constants.COPYFILE_EXCL)
  chmodSync(whole, 0o600)
  syncFile(fs, whole)
  renameSync(whole, file)
  syncFolder(fs, dirname(file))
  // The open inode would hold this much of the disk until then, which may be the last there is.
  truncateSync(draft)
  removeDraft(draft)
}

function removeDraft(draft: string): void {
  for (const part of PARTS) rmSync(draft + part, { force: true })
}

async function bringUpToDate(database: Database, migrations: readonly Migration[], now: number): Promise<void> {
  await migrate(database, migrations, COLUMNS, now)
  await database.tx(async tx => void (await sql.raw(`PRAGMA user_version = ${migrations.length}`).execute(tx.tables())))
}

function connect(file: string): Database {
  const writer = openConnection(file)
  const reader = openConnection(file)
  reader.exec('PRAGMA query_only = 1')
  const reading = kyselyOn(reader)
  const listeners: ((rows?: readonly object[]) => void)[] = []
  const writing = new SqliteWriter(writer)
  const queue = new WriteQueue(writing, rows => {
    for (const listener of listeners) listener(rows)
  })
  return {
    label: file,
    shared: false,
    wall: async own => own(),
    search: sqliteSearch,
    events: sqliteEvents,
    tables: <T>() => reading as unknown as Kysely<T>,
    run: async query => execute<never>(reader, query).rows,
    tx: (verb, account) => queue.run(verb, account),
    onEvents: listener => void listeners.push(listener),
    // SQLite goes on behind the highest number on its own.
    renumber: async () => {},
    snapshot: async function* (read) {
      const own = openConnection(file)
      const kysely = kyselyOn(own)
      own.exec('PRAGMA query_only = 1; BEGIN')
      try {
        yield* read({
          tables: <T>() => kysely as unknown as Kysely<T>,
          run: async query => execute<never>(own, query).rows,
        })
      } finally {
        own.exec('ROLLBACK')
        own.close()
      }
    },
    outdated: async () => undefined,
    translate: error => writing.translate(error),
    backup: target => backUp(() => openConnection(file), target),
    close: async () => {
      await queue.close()
      // The library closes for good only when its statements are collected; by then the log must hold nothing.
      try {
        writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        reader.close()
        writer.close()
      }
    },
  }
}

/** The settings are forgotten with each connection, so every connection makes them. */
function openConnection(file: string): Sqlite {
  const sqlite = new Sqlite(file)
  sqlite.exec(
    'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON',
  )
  // What is replaced is overwritten on its page, and not only forgotten: it may have been a secret.
  sqlite.exec('PRAGMA secure_delete = FAST')
  return sqlite
}

class SqliteWriter implements Writer {
  readonly #sqlite: Sqlite
  readonly kysely: Kysely<unknown>

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
    this.kysely = kyselyOn(sqlite)
  }

  async run<R>(query: CompiledQuery<R>): Promise<R[]> {
    return execute<R>(this.#sqlite, query).rows
  }

  begin(): void {
    this.#sqlite.exec('BEGIN IMMEDIATE')
  }

  commit(): void {
    this.#sqlite.exec('COMMIT')
  }

  rollback(): void {
    if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK')
  }

  exec(statement: string): void {
    this.#sqlite.exec(statement)
  }

  isFatal(error: unknown): boolean {
    const code = sqliteCode(error)
    // A full disk or a failed write may already have rolled the whole transaction back.
    return !this.#sqlite.inTransaction || (code !== undefined && /FULL|IOERR|CORRUPT|NOMEM|NOTADB/.test(code))
  }

  translate(error: unknown): unknown {
    const code = sqliteCode(error)
    if (code?.startsWith('SQLITE_FULL')) return CoreError.STORAGE_FULL({}, error)
    if (code?.startsWith('SQLITE_BUSY') || code?.startsWith('SQLITE_IOERR')) return CoreError.DB_UNAVAILABLE({}, error)
    return error
  }
}
