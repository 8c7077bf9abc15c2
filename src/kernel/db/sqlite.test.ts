import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { answerMigrations, saveAnswer } from '../answers.ts'
import type { Migration } from './migrate.ts'
import { Sqlite } from './sqlite-port.ts'
import { openSqlite } from './sqlite.ts'

test('a backup is a whole database of its own, for its owner alone, and never replaces a file', async () => {
  const home = mkdtempSync(join(tmpdir(), 'toryo-backup-'))
  const copy = join(home, 'copy.db')
  const database = await openSqlite(join(home, 'one.db'), answerMigrations, () => 0)
  await database.tx(tx => saveAnswer(tx, 'k', 'b', 'v', 1))
  await database.backup(copy)
  await database.tx(tx => saveAnswer(tx, 'later', 'b', 'v', 1))

  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const restored = await openSqlite(copy, answerMigrations, () => 0)
  const answers = restored.tables<{ answers: { at: number } }>().selectFrom('answers').selectAll()
  expect(await answers.execute()).toHaveLength(1)
  await expect(database.backup(copy)).rejects.toThrow('exists already')
  // SQLite would apply it to the copy.
  const laid = join(home, 'laid.db')
  for (const part of ['-journal', '-wal', '-shm']) {
    writeFileSync(laid + part, 'x')
    await expect(database.backup(laid)).rejects.toThrow(`${laid + part} exists already`)
    expect(readdirSync(home).filter(name => name.startsWith('laid'))).toEqual([`laid.db${part}`])
    rmSync(laid + part)
  }
  await database.backup(laid)
  expect(readdirSync(home).filter(name => name.startsWith('laid'))).toEqual(['laid.db'])
  const nowhere = join(home, 'no', 'folder.db')
  await expect(database.backup(nowhere)).rejects.toThrow('folder.db')
  expect(existsSync(nowhere)).toBe(false)
  await restored.close()
  await database.close()
  rmSync(home, { recursive: true })
})

/** The kernel lists what a process has open only here. */
test.runIf(existsSync('/proc/self/fd'))(
  'the draft of a new database takes no room on the disk once it is removed',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'toryo-draft-'))
    const database = await openSqlite(join(home, 'one.db'), answerMigrations, () => 0)
    const removed = readdirSync('/proc/self/fd')
      .map(fd => join('/proc/self/fd', fd))
      .filter(fd => statSync(fd, { throwIfNoEntry: false }) && readlinkSync(fd).startsWith(join(home, 'one.db.new')))
      .map(fd => ({ file: readlinkSync(fd), blocks: statSync(fd).blocks }))
      .filter(({ file, blocks }) => !file.includes('-shm') && blocks > 0)
    expect(removed).toEqual([])
    await database.close()
    rmSync(home, { recursive: true })
  },
)

test('a backup is of one moment, and others read and write while it is taken', async () => {
  const home = mkdtempSync(join(tmpdir(), 'toryo-backup-'))
  const copy = join(home, 'copy.db')
  const database = await openSqlite(join(home, 'one.db'), answerMigrations, () => 0)
  const count = async (of: typeof database) =>
    (await of.tables<{ answers: { at: number } }>().selectFrom('answers').selectAll().execute()).length
  await database.tx(async tx => {
    for (let n = 0; n < 2000; n++) await saveAnswer(tx, `before ${n}`, 'b', 'v'.repeat(8000), 1)
  })
  let done = false
  const taken = database.backup(copy).finally(() => {
    done = true
  })
  let meanwhile = 0
  for (; !done; meanwhile++) {
    await database.tx(tx => saveAnswer(tx, `meanwhile ${meanwhile}`, 'b', 'v', 1))
    await new Promise(setImmediate)
  }
  await taken
  expect(meanwhile).toBeGreaterThan(0)
  expect(await count(database)).toBe(2000 + meanwhile)
  const restored = await openSqlite(copy, answerMigrations, () => 0)
  expect(await count(restored)).toBe(2000)
  await restored.close()
  await database.close()
  rmSync(home, { recursive: true })
})

test('of a large file the small tables are read before it is trusted, and the hub does not wait for the rest', async () => {
  const home = mkdtempSync(join(tmpdir(), 'toryo-large-'))
  const file = join(home, 'large.db')
  const tables: Migration[] = [
    {
      id: 'large.1',
      async up(db) {
        await sql`CREATE TABLE large (id INTEGER PRIMARY KEY, bytes BLOB)`.execute(db)
        await sql`CREATE TABLE small (id INTEGER PRIMARY KEY, name TEXT)`.execute(db)
        await sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO large SELECT i, zeroblob(3500) FROM n`.execute(db)
        await sql`INSERT INTO small VALUES (1, 'kept')`.execute(db)
      },
    },
  ]
  await (await openSqlite(file, tables, () => 0)).close()
  expect(statSync(file).size).toBeGreaterThan(64 * 1024 * 1024)

  const pageOf = (table: string, nth: number) => {
    const probe = new Sqlite(file, { readOnly: true })
    const root = Number(probe.get('SELECT rootpage FROM sqlite_schema WHERE name = ?', [table])?.['rootpage'])
    probe.close()
    return root + nth
  }
  const spoil = (page: number) => {
    const fd = openSync(file, 'r+')
    writeSync(fd, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096)
    closeSync(fd)
  }
  spoil(pageOf('large', 10_000))
  await (await openSqlite(file, tables, () => 0)).close()
  spoil(pageOf('small', 0))
  await expect(openSqlite(file, tables, () => 0)).rejects.toThrow('is damaged')
  rmSync(home, { recursive: true })
})
