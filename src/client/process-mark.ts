// Names one process for good, so that a later one can tell whether it still lives. What cannot be proven is not claimed.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'

export type ProcessMark = {
  readonly pid: number
  /** When it started, in the system's own unit: numbers are used again. */
  readonly start: string
  /** Differs after every restart of the machine. */
  readonly boot: string
  /** In which its number is valid: containers number their processes anew. */
  readonly space: string
  readonly host: string
}

export type Life = 'alive' | 'dead' | 'unknown'

export function ownMark(): ProcessMark {
  const { pid } = process
  return { pid, start: startOf(pid) ?? '', boot: bootId(), space: pidSpace(), host: os.hostname() }
}

/** Unknown where our system cannot say: the process is of another machine or container. */
export function lifeOf(mark: ProcessMark): Life {
  if (mark.boot !== bootId()) return mark.host === os.hostname() ? 'dead' : 'unknown'
  if (mark.space !== pidSpace()) return 'unknown'
  if (mark.start === '') return isThere(mark.pid) ? 'alive' : 'dead'
  return startOf(mark.pid) === mark.start ? 'alive' : 'dead'
}

/** Suspended, as by Ctrl-Z: it lives, and does nothing until it is told to go on. Where that cannot be seen, false. */
export function isStopped({ pid }: ProcessMark): boolean {
  if (process.platform !== 'linux') return false
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return /^[Tt]/.test(text.slice(text.lastIndexOf(')') + 2))
  } catch {
    return false // It ended while we looked; the next look says so.
  }
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

/** Undefined when no such process runs. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'win32') return isThere(pid) ? '' : undefined
  if (process.platform !== 'linux') return ask('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]) || undefined
  let text: string
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw cause // No more files can be opened, say: then we know nothing, which is not the same as gone.
  }
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Ended, but its parent has not taken note.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function bootId(): string {
  if (process.platform === 'linux') return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  return process.platform === 'darwin' ? ask('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']) : ''
}

function pidSpace(): string {
  try {
    return process.platform === 'linux' ? fs.readlinkSync('/proc/self/ns/pid') : ''
  } catch {
    return '' // A system without namespaces has one only.
  }
}

function ask(program: string, args: string[]): string {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync(program, args, {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
      env,
    }).trim()
  } catch {
    return '' // `ps` fails when there is no such process.
  }
}
