// What a hub makes of an SQLite file that is not there yet, made once per worker: applying all migrations costs more processor
// time than the rest of a hub's start.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrations } from '#hub/schema.ts'
import { openSqlite } from '#kernel/db/sqlite.ts'

let made: Promise<Buffer> | undefined

/** The same name, with a database as after the first start of a hub. One that is there already stays as it is. */
export async function newSqlite(file: string): Promise<string> {
  if (existsSync(file) || existsSync(`${file}-wal`)) return file
  made ??= make()
  const bytes = await made
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
  return file
}

async function make(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'toryo-new-'))
  try {
    const file = join(folder, 'new.db')
    await (await openSqlite(file, migrations, Date.now)).close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
