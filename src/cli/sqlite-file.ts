// What the CLI itself may do with an SQLite file: see whose it is, check a copy, and hold the hub's lock while files are moved.
// Everything else is the hub's. The library is native and loaded only here, when needed.
import fs from 'node:fs'
import { isId } from '#contract/ids.ts'

const MAGIC = 'SQLite format 3\0'
/** 'Tory', at its place in the header. */
const APPLICATION_ID = 0x546f7279
const APPLICATION_ID_AT = 68

export function isToryoDatabase(file: string): boolean {
  const header = Buffer.alloc(100)
  const fd = fs.openSync(file, 'r')
  try {
    const read = fs.readSync(fd, header, 0, header.length, 0)
    if (read < header.length) return false
  } finally {
    fs.closeSync(fd)
  }
  return (
    header.toString('latin1', 0, MAGIC.length) === MAGIC && header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID
  )
}

/** The first problem of a database that no other process has open, or undefined when it is sound. */
export async function findDamage(file: string): Promise<string | undefined> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  try {
    const database = new DatabaseSync(file)
    try {
      const [row] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
      return row?.integrity_check === 'ok' ? undefined : (row?.integrity_check ?? 'no answer')
    } finally {
      database.close()
    }
  } catch (problem) {
    return (problem as Error).message
  }
}

/** A text in a column of ids that is not a valid id, in a database that no other process has open. */
export async function findStrangeId(file: string): Promise<{ table: string; id: string } | undefined> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(file)
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
    for (const { name: table } of tables) {
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table) as { name: string }[]
      for (const { name: column } of columns) {
        if (!/(?:^|_)id$/.test(column) || OTHERS_IDS.includes(`${table}.${column}`)) continue
        const values = database.prepare(`SELECT ${quoted(column)} AS id FROM ${quoted(table)}`).iterate()
        for (const { id } of values as Iterable<{ id: unknown }>) {
          if (id === null || typeof id === 'number' || (typeof id === 'string' && isId(id))) continue
          return { table, id: JSON.stringify(typeof id === 'string' ? id.slice(0, 100) : typeof id) }
        }
      }
    }
    return undefined
  } finally {
    database.close()
  }
}

/** An engine's own name of a conversation; what a caller that could not sign in claimed to be. */
const OTHERS_IDS = ['runs.session_id', 'sign_in_failures.agent_id']

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export type HeldLock = { release(): void }

/** The lock that a hub holds for its whole life: while it is ours, none can start. Undefined when a hub has it. */
export async function holdHubLock(file: string): Promise<HeldLock | undefined> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (problem) {
    database.close()
    const { sqliteCodeName: code } = problem as { sqliteCodeName?: string }
    if (code?.startsWith('SQLITE_BUSY')) return undefined
    throw problem
  }
  return { release: () => database.close() }
}
