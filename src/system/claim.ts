// A claim is a file that one of many processes makes, and that holds as long as that process does, however slow the machine is.
// Owns the file; must not know what is claimed.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createFile } from './files.ts'
import { lifeOf, ownMark, readMark } from './process-identity.ts'
import { isStopped } from './processes.ts'

/** True when it is ours now. */
export function claim(file: string): boolean {
  if (create(file)) return true
  const found = read(file)
  if (found === undefined || !isStale(found)) return false
  return remove(file, found) && create(file)
}

/** Leaves the claim of another process that took over from us. */
export function releaseClaim(file: string): void {
  if (read(file) === ownClaim()) fs.rmSync(file, { force: true })
}

function create(file: string): boolean {
  return createFile(fs, file, ownClaim(), { sync: false })
}

/** Of several that find it stale at once, one takes it away; a claim that another has made meanwhile is put back. */
function remove(file: string, stale: string): boolean {
  const aside = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
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

/** Its process has ended, or is suspended and will not continue. A file that is not a valid claim of this version counts as abandoned. */
function isStale(text: string): boolean {
  const mark = readMark(parse(text))
  return mark === undefined || lifeOf(mark) === 'dead' || isStopped(mark.pid)
}

let own: string | undefined

function ownClaim(): string {
  own ??= JSON.stringify(ownMark())
  return own
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
