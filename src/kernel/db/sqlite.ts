// Owns one SQLite file: the checks before it is trusted, the writing and the reading connection, its backups.
// One hub per file; the lock that says so is the caller's (lock.ts).
import fs, {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { CoreError } from '#contract/errors.ts'
import { syncFile, syncFolder } from '#system/files.ts'
import { refuseChanges } from './append-only-sqlite.ts'
import { sqliteSearch } from '../search/sqlite-search.ts'
import type { Database } from './db.ts'
import { migrate, type Migration, pending, SchemaIsNewer } from './migrate.ts'
import { execute, kyselyOn } from './sqlite-dialect.ts'
import { Sqlite, sqliteCode } from './sqlite-port.ts'
import { type Writer, WriteQueue } from './write-queue.ts'

/** 'Tory': distinguishes our files from every other program's. */
const APPLICATION_ID = 0x546f7279
/** Older ones can corrupt a database when WAL files are reset. */
const MIN_SQLITE = [3, 51, 3] as const
const READ_WHOLE_BYTES = 64 * 1024 * 1024
const READ_WHOLE_ROWS = 10_000
const COLUMNS = {
  // Without AUTOINCREMENT, which writes a page of its own with every row: nothing that is numbered is ever deleted.
  serial: sql`INTEGER PRIMARY KEY`,
  clustered: sql`WITHOUT ROWID`,
  id: sql`TEXT`,
  bytes: sql`BLOB`,
  key: sql`INTEGER PRIMARY KEY`,
  search: sqliteSearch,
  appendOnly: refuseChanges,
}

/** The files of one database. */
const PARTS = ['', '-wal', '-shm', '-journal']

export class DatabaseRefused extends Error {}

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
  // An empty one holds nothing and belongs to nobody.
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size)
    throw new DatabaseRefused(
      `${file} is missing but its write-ahead log ${file}-wal is still there; put the database back beside it, or move the log away.`,
    )
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

function makeNew(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

/** Decides by looking only; a file that is refused keeps every byte. */
function inspect(file: string, migrations: readonly Migration[]): Migration[] {
  const { size } = statSync(file)
  if (size === 0) throw new DatabaseRefused(`${file} is empty (0 bytes), so it is no Toryo database; ${advice(file)}`)
  const header = readHeader(file)
  if (header.subarray(0, 16).toString('latin1') !== 'SQLite format 3\0')
    throw new DatabaseRefused(`${file} is not an SQLite database; ${advice(file)}`)
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw new DatabaseRefused(`${file} belongs to another program; give Toryo a file of its own with --db.`)
  const made = ['-wal', '-shm'].map(suffix => file + suffix).filter(beside => !existsSync(beside))
  const probe = new Sqlite(file, { readOnly: true })
  try {
    const version = String(probe.get('SELECT sqlite_version() AS v')?.['v'])
    if (isOlder(version))
      throw new DatabaseRefused(`SQLite ${version} is too old; at least ${MIN_SQLITE.join('.')} is needed.`)
    const problem = findProblem(probe, size)
    if (problem !== undefined) throw new DatabaseRefused(`${file} is damaged (${problem}); ${advice(file)}`)
    if (Number(probe.get('PRAGMA user_version')?.['user_version']) > migrations.length)
      throw new SchemaIsNewer('it was written by a newer Toryo; update this program to open it.')
    const applied = probe.all('SELECT id FROM migrations').map(row => String(row['id']))
    return pending(applied, migrations)
  } catch (error) {
    // Looking made them; they are empty.
    for (const beside of made) rmSync(beside, { force: true })
    if (error instanceof DatabaseRefused) throw error
    if (error instanceof SchemaIsNewer) throw new DatabaseRefused(`${file} was left as it is: ${error.message}`)
    throw new DatabaseRefused(`${file} is damaged (${(error as Error).message}); ${advice(file)}`)
  } finally {
    probe.close()
  }
}

/**
 * Reading every page of a gigabyte takes half a minute, in which everybody waits for the hub. Of a large file the tables
 * are looked at for which that is quick; `toryo doctor` reads all of it.
 */
function findProblem(probe: Sqlite, size: number): string | undefined {
  if (size <= READ_WHOLE_BYTES) return problemIn(probe, '3')
  const tables = probe.all("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0")
  for (const { name } of tables) {
    const quoted = `"${String(name).replaceAll('"', '""')}"`
    const problem = isSmall(probe, quoted) ? problemIn(probe, quoted) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemIn(probe: Sqlite, what: string): string | undefined {
  const [first] = probe.all(`PRAGMA quick_check(${what})`)
  const said = String(first?.['quick_check']).replace(/\s+/g, ' ')
  return said === 'ok' ? undefined : said
}

/** By its highest row number, which costs one look. A table without such numbers is not looked at. */
function isSmall(probe: Sqlite, table: string): boolean {
  return Number(probe.get(`SELECT max(rowid) AS most FROM ${table}`)?.['most'] ?? 0) <= READ_WHOLE_ROWS
}

function advice(file: string): string {
  return `nothing was changed. Put a backup in its place with \`toryo restore <backup> --db ${file}\`, or move the file away to start anew.`
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(100)
  const fd = openSync(file, 'r')
  try {
    readSync(fd, header, 0, 100, 0)
  } finally {
    closeSync(fd)
  }
  return header
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of MIN_SQLITE.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part < least
  }
  return false
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
    translate: error => writing.translate(error),
    backup: async target => {
      if (existsSync(target)) throw new DatabaseRefused(`${target} exists already; choose another name for the backup.`)
      const beside = PARTS.slice(1).map(part => target + part)
      const taken = beside.find(name => lstatSync(name, { throwIfNoEntry: false }))
      if (taken !== undefined)
        throw new DatabaseRefused(
          `${taken} exists already and would be taken for a part of the backup; remove it, or choose another name.`,
        )
      // SQLite takes an empty file as well; made here, it is for the owner's eyes only and never another user's.
      makeNew(target)
      const copying = openConnection(file)
      try {
        for (const name of beside) makeNew(name)
        await copying.copyTo(target)
        syncFile(fs, target)
      } catch (error) {
        rmSync(target, { force: true })
        throw error
      } finally {
        for (const name of beside) rmSync(name, { force: true })
        copying.close()
      }
    },
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

/** These are forgotten with each connection, so every connection sets them. */
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
