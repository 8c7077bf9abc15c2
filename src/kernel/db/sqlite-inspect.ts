// Decides whether a file may be opened as our database, and which migrations it lacks. It only looks: a file that is refused keeps
// every byte.
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import type { Text } from '#contract/errors.ts'
import { DatabaseRefused, newer } from './database-refused.ts'
import { type Migration, pending, SchemaIsNewer } from './migrate.ts'
import { Sqlite } from './sqlite-port.ts'

/** 'Tory': distinguishes our files from every other program's. */
export const APPLICATION_ID = 0x546f7279
/** Older ones can corrupt a database when WAL files are reset. */
const MIN_SQLITE = [3, 51, 3] as const
const READ_WHOLE_BYTES = 64 * 1024 * 1024
const READ_WHOLE_ROWS = 10_000

export function inspect(file: string, migrations: readonly Migration[]): Migration[] {
  const { size } = statSync(file)
  if (size === 0)
    throw refused(file, {
      en: `${file} is empty (0 bytes), so it is not a Toryo database`,
      ja: `${file} は空 (0 バイト) で、Toryo のデータベースではありません`,
    })
  const header = readHeader(file)
  if (header.subarray(0, 16).toString('latin1') !== 'SQLite format 3\0')
    throw refused(file, {
      en: `${file} is not an SQLite database`,
      ja: `${file} は SQLite データベースではありません`,
    })
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw new DatabaseRefused({
      en: `${file} belongs to another program; give Toryo a file of its own with --db.`,
      ja: `${file} は他のプログラムのデータベースです。--db で Toryo 専用のファイルを指定してください。`,
    })
  const made = ['-wal', '-shm'].map(suffix => file + suffix).filter(beside => !existsSync(beside))
  const probe = new Sqlite(file, { readOnly: true })
  try {
    const version = String(probe.get('SELECT sqlite_version() AS v')?.['v'])
    if (isOlder(version))
      throw new DatabaseRefused({
        en: `SQLite ${version} is too old; at least ${MIN_SQLITE.join('.')} is needed.`,
        ja: `SQLite ${version} は古すぎます。${MIN_SQLITE.join('.')} 以降が必要です。`,
      })
    const problem = findProblem(probe, size)
    if (problem !== undefined) throw damaged(file, problem)
    if (Number(probe.get('PRAGMA user_version')?.['user_version']) > migrations.length)
      throw new SchemaIsNewer(undefined)
    const applied = probe.all('SELECT id FROM migrations').map(row => String(row['id']))
    return pending(applied, migrations)
  } catch (error) {
    // Looking made them; they are empty.
    for (const beside of made) rmSync(beside, { force: true })
    if (error instanceof DatabaseRefused) throw error
    if (error instanceof SchemaIsNewer) throw newer(file, error)
    throw damaged(file, (error as Error).message)
  } finally {
    probe.close()
  }
}

/**
 * Reading every page of a gigabyte takes half a minute, in which every client waits for the hub. Of a large file the tables
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

function refused(file: string, why: Text): DatabaseRefused {
  return new DatabaseRefused({
    en: `${why.en}; nothing was changed. Put a backup in its place with \`toryo restore <backup> --db ${file}\`, or move the file away to start over.`,
    ja: `${why.ja}。何も変更していません。\`toryo restore <バックアップ> --db ${file}\` でバックアップから復元するか、ファイルを移動して新しく始めてください。`,
  })
}

function damaged(file: string, problem: string): DatabaseRefused {
  return refused(file, { en: `${file} is damaged (${problem})`, ja: `${file} は壊れています (${problem})` })
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
