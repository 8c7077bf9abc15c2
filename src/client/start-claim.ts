// Many clients may miss their hub at the same moment. One of them starts it while the others wait: fifty processes that race for
// one lock would slow down the one that wins, and one that comes too late would start a hub that no client needs any more. A claim
// holds as long as the process that made it, however slow the machine is. The hub's own lock decides in the end.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ClientError } from './errors.ts'
import { isStopped, lifeOf, ownMark, readMark } from './process-mark.ts'

/** True when it is our turn to start a hub. */
export function claimStart(file: string): boolean {
  if (create(file)) return true
  const found = read(file)
  if (found === undefined || !isStale(found)) return false
  return remove(file, found) && create(file)
}

/** Leaves the claim of another process that took over from us. */
export function releaseStart(file: string): void {
  if (read(file) === ownClaim()) fs.rmSync(file, { force: true })
}

/** Made elsewhere and linked: nobody sees a claim of which a part is missing. */
function create(file: string): boolean {
  const draft = besides(file)
  try {
    fs.writeFileSync(draft, ownClaim(), { flag: 'wx', mode: 0o600 })
    fs.linkSync(draft, file)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Such as a file system that is read-only.
    throw ClientError.PATH_NOT_USABLE({ path: path.dirname(file), reason: (cause as Error).message }, cause)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Of several that find it stale at once, one takes it away; a claim that another has made meanwhile is put back. */
function remove(file: string, stale: string): boolean {
  const aside = besides(file)
  try {
    fs.renameSync(file, aside)
    if (read(aside) === stale) return true
    fs.linkSync(aside, file)
    return false
  } catch {
    return false // Another took it away, or has made a new one.
  } finally {
    fs.rmSync(aside, { force: true })
  }
}

/** Its process has ended, or is suspended and will not go on by itself. What is no claim of this version is nobody's. */
function isStale(text: string): boolean {
  const mark = readMark(parse(text))
  return mark === undefined || lifeOf(mark) === 'dead' || isStopped(mark)
}

let claim: string | undefined

function ownClaim(): string {
  claim ??= JSON.stringify(ownMark())
  return claim
}

function besides(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined // Removed meanwhile.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
