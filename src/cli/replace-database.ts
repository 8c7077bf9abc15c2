// Puts a copy of a backup in the place of a database. What was there is kept under another name; nothing is ever deleted.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { syncFile, syncFolder } from '#system/files.ts'
import { CliError } from './errors.ts'
import { findDamage, findStrangeId } from './sqlite-file.ts'
import { dataTexts } from './texts-data.ts'

const PARTS = ['', '-wal', '-shm', '-journal']

/** The hub's lock must be held. Answers the name under which the database that was there is kept, if there was one. */
export async function replaceDatabase(db: string, backup: string, now: number): Promise<string | undefined> {
  const draft = `${db}.restoring-${randomBytes(6).toString('hex')}`
  try {
    fs.copyFileSync(backup, draft, fs.constants.COPYFILE_EXCL)
    fs.chmodSync(draft, 0o600)
    const damage = await findDamage(draft)
    if (damage !== undefined) throw CliError.FAILED({ text: dataTexts.damagedBackup(backup, damage) })
    const strange = await findStrangeId(draft)
    if (strange) throw CliError.FAILED({ text: dataTexts.strangeId(backup, strange.id, strange.table) })
    syncFile(fs, draft)
    const kept = keepAside(db, now)
    fs.renameSync(draft, db)
    syncFolder(fs, path.dirname(db))
    return kept
  } finally {
    for (const part of PARTS) fs.rmSync(draft + part, { force: true })
  }
}

/**
 * By a second name and not by moving, so that there is no moment without a database. Its log must go before the new one comes:
 * SQLite would apply it to a database that it does not belong to.
 */
function keepAside(db: string, now: number): string | undefined {
  const kept = freeName(`${db}.replaced-${stamp(now)}`)
  const parts = PARTS.filter(part => fs.existsSync(db + part))
  for (const part of parts) link(db + part, kept + part)
  syncFolder(fs, path.dirname(db))
  for (const part of parts.slice().reverse()) if (part !== '') fs.rmSync(db + part)
  return parts.length > 0 ? kept : undefined
}

/** Some file systems know no second names. */
function link(from: string, to: string): void {
  try {
    fs.linkSync(from, to)
  } catch {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL)
    syncFile(fs, to)
  }
}

function freeName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (PARTS.every(part => !fs.existsSync(name + part))) return name
  }
}

/** In UTC, so that names sort by age wherever they were made. */
function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}
