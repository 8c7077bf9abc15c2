// Names one process for good, so that another can say later whether it still lives. A pid alone is not enough: numbers are used
// again. What cannot be proven is not claimed. Must not know what the process is for.
import fs from 'node:fs'
import os from 'node:os'
import { bootId, findProcess, isAlive } from './processes.ts'

export type ProcessIdentity = {
  readonly pid: number
  /** When it started, in the system's own unit. */
  readonly start: string
  readonly boot: string
}

/** For readers that may be in another container, or on another machine that shares the file. */
export type ProcessMark = ProcessIdentity & {
  /** In which its number is valid: containers number their processes separately. */
  readonly space: string
  readonly host: string
}

export type Life = 'alive' | 'dead' | 'unknown'

/** With an empty start where the system does not say, or no longer. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: findProcess(pid)?.start ?? '', boot: bootId() }
}

/** True only when that very process still runs: same boot, number and start, and no zombie. */
export function isRunning({ pid, start, boot }: ProcessIdentity): boolean {
  if (boot !== bootId() || start === '') return false
  const now = findProcess(pid)
  return now !== undefined && !now.zombie && now.start === start
}

export function ownMark(): ProcessMark {
  return { ...identityOf(process.pid), space: pidSpace(), host: os.hostname() }
}

/** Unknown where our system cannot say: the process is of another machine or container. */
export function lifeOf(mark: ProcessMark): Life {
  if (mark.boot !== bootId()) return mark.host === os.hostname() ? 'dead' : 'unknown'
  if (mark.space !== pidSpace()) return 'unknown'
  return (mark.start === '' ? isAlive(mark.pid) : isRunning(mark)) ? 'alive' : 'dead'
}

export function isSame(a: ProcessMark, b: ProcessMark): boolean {
  return a.pid === b.pid && a.start === b.start && a.boot === b.boot && a.space === b.space
}

export function readMark(value: unknown): ProcessMark | undefined {
  const { pid, start, boot, space, host } = (value ?? {}) as Record<string, unknown>
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  if (![start, boot, space, host].every(one => typeof one === 'string')) return undefined
  return { pid, start, boot, space, host } as ProcessMark
}

/** Names the container or machine whose processes we see. */
export function pidSpace(): string {
  try {
    return process.platform === 'linux' ? fs.readlinkSync('/proc/self/ns/pid') : ''
  } catch {
    return '' // A system without namespaces has one only.
  }
}
