// A backup is a snapshot of a database, copied while others write, into a file that only the owner can read.
import fs, { closeSync, existsSync, lstatSync, openSync, rmSync } from 'node:fs'
import { syncFile } from '#system/files.ts'
import { DatabaseRefused } from './database-refused.ts'
import type { Sqlite } from './sqlite-port.ts'

/** The files of one database. */
export const PARTS = ['', '-wal', '-shm', '-journal']

/** `open` opens another connection to the database. */
export async function backUp(open: () => Sqlite, target: string): Promise<void> {
  if (existsSync(target))
    throw new DatabaseRefused({
      en: `${target} exists already; choose another name for the backup.`,
      ja: `${target} は既にあります。バックアップに別の名前を指定してください。`,
    })
  const beside = PARTS.slice(1).map(part => target + part)
  const taken = beside.find(name => lstatSync(name, { throwIfNoEntry: false }))
  if (taken !== undefined)
    throw new DatabaseRefused({
      en: `${taken} exists already and would be taken for a part of the backup; remove it, or choose another name.`,
      ja: `${taken} が既にあり、バックアップの一部とみなされます。削除するか、別の名前を指定してください。`,
    })
  // SQLite takes an empty file as well; made here, it is for the owner's eyes only and never another user's.
  makeNew(target)
  const copying = open()
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
}

export function makeNew(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}
