// One hub per database: an SQLite file under an exclusive transaction, held for the hub's whole life. The kernel frees it
// when the process ends, however it ends. No other program reads or deletes the file.
import { Sqlite, sqliteCode } from './sqlite-port.ts'

export type Lock = { release(): void }

/** Undefined when another process holds it. */
export function takeLock(file: string): Lock | undefined {
  const sqlite = new Sqlite(file)
  try {
    sqlite.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    sqlite.close()
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
  const lock = {
    release: () => {
      held.delete(sqlite)
      sqlite.close()
    },
  }
  held.add(sqlite)
  return lock
}

/** Garbage collection of the handle would let the lock go. */
const held = new Set<Sqlite>()
