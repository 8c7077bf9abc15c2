// Many clients may miss their hub at the same moment. One of them starts it while the others wait a little: fifty processes
// that race for one lock would slow down the one that wins. Only a hint: when it is lost or stale, the hub's own lock decides.
import fs from 'node:fs'
import path from 'node:path'
import { ClientError } from './errors.ts'

const STALE_MS = 2000

/** True when it is our turn to start a hub. */
export function claimStart(file: string): boolean {
  if (create(file)) return true
  if (!isStale(file)) return false
  fs.rmSync(file, { force: true })
  return create(file)
}

/** Leaves the claim of somebody who took over from us. */
export function releaseStart(file: string): void {
  try {
    if (fs.readFileSync(file, 'latin1') === String(process.pid)) fs.rmSync(file, { force: true })
  } catch {
    // Gone: nothing to let go.
  }
}

function create(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Such as a file system that is read-only.
    throw ClientError.PATH_NOT_USABLE({ path: path.dirname(file), reason: (cause as Error).message }, cause)
  }
}

function isStale(file: string): boolean {
  try {
    // The wall clock may jump: whatever looks odd is stale.
    const age = Date.now() - fs.statSync(file).mtimeMs
    return age < 0 || age > STALE_MS || !isAlive(Number(fs.readFileSync(file, 'latin1')))
  } catch {
    return true // Removed meanwhile.
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true // Not written yet; its age tells.
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
