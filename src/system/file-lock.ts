// A lock among programs that share a folder, made of plain files: numbers that only grow, the highest of which says who holds
// it. The highest is never removed, so that a process that looked earlier cannot take a number twice. Owns the folder's
// content; must not know what the lock is for, nor whether the folder can be trusted.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { codeOf, type Disk, removeIfThere, writeNew } from './files.ts'
import { pause } from './pause.ts'
import { lifeOf, type ProcessMark, readMark } from './process-identity.ts'

/** About thirty seconds: longer than any holder waits for something else. */
const TRIES = 1200
const POLL_MS = 25
/** Of a holder in another container or machine only its age can be known; no holder needs so long. */
const ABANDONED_MS = 60_000

export type FileLock = { release(): void }

/** Undefined when others kept it for about thirty seconds. */
export async function takeFileLock(disk: Disk, folder: string, mark: ProcessMark): Promise<FileLock | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const highest = Math.max(0, ...numbersIn(disk, folder))
    const own = isHeld(folder, highest) ? undefined : claim(disk, folder, highest + 1, mark)
    if (own !== undefined) return { release: () => free(disk, path.join(folder, String(own))) }
    await pause(POLL_MS)
  }
  return undefined
}

/** A second name for it needs no space, so that a full disk does not keep the lock. */
function free(disk: Disk, file: string): void {
  disk.linkSync(file, `${file}.free`)
}

function claim(disk: Disk, folder: string, number: number, mark: ProcessMark): number | undefined {
  const file = path.join(folder, String(number))
  const draft = path.join(folder, `${randomBytes(8).toString('hex')}.tmp`)
  try {
    writeNew(disk, draft, JSON.stringify(mark))
    // Whole from its first moment, and only if no other process has this number.
    disk.linkSync(draft, file)
  } catch (cause) {
    if (!['EEXIST', 'ENOENT'].includes(codeOf(cause))) throw cause
    removeIfThere(disk, draft)
    return undefined
  }
  removeIfThere(disk, draft)
  // We may have looked long ago, and this number may have been given, freed and cleared away since.
  if (Math.max(...numbersIn(disk, folder)) > number) {
    removeIfThere(disk, file)
    return undefined
  }
  for (const name of disk.readdirSync(folder)) if (isBelow(name, number)) removeIfThere(disk, path.join(folder, name))
  return number
}

function isHeld(folder: string, number: number): boolean {
  if (number === 0 || fs.existsSync(path.join(folder, `${number}.free`))) return false
  try {
    const file = path.join(folder, String(number))
    const mark = readMark(JSON.parse(fs.readFileSync(file, 'utf8')))
    const life = mark === undefined ? 'unknown' : lifeOf(mark)
    if (life !== 'unknown') return life === 'alive'
    return Math.abs(Date.now() - fs.statSync(file).mtimeMs) < ABANDONED_MS
  } catch {
    return true // Cleared away by the next holder, or damaged: the next look decides.
  }
}

function numbersIn(disk: Disk, folder: string): number[] {
  return disk.readdirSync(folder).flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** Earlier numbers, and drafts of processes that were killed while they claimed one. */
function isBelow(name: string, number: number): boolean {
  return name.endsWith('.tmp') || (/^\d+(\.free)?$/.test(name) && Number.parseInt(name, 10) < number)
}
