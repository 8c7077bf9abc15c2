// Owns what the system says about running processes: /proc on Linux; `ps` elsewhere, which knows less; on Windows only whether
// a pid is in use. Must not know who started them, or what for.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import { TORYO_MARK } from './environment-names.ts'
import { codeOf } from './files.ts'
import { Turn } from './turn.ts'

export type ProcessInfo = {
  pid: number
  parent: number
  group: number
  session: number
  /** When it started, in the system's own unit: with the pid and the boot it names one process for ever. */
  start: string
  /** Ended, but its parent has not taken note: it runs nothing and cannot be signalled away. */
  zombie: boolean
}

/** Differs after every restart of the machine. */
export function bootId(): string {
  return (boot ??= readBootId())
}
let boot: string | undefined

function readBootId(): string {
  if (process.platform === 'linux') return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  if (process.platform === 'darwin') return run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])
  return 'unknown'
}

export function findProcess(pid: number): ProcessInfo | undefined {
  if (process.platform === 'linux') return fromProc(pid)
  return fromPs(['-p', String(pid)]).get(pid)
}

/** Listing all processes takes a while on a busy machine, so it yields to other work in between. */
export async function listProcesses(): Promise<Map<number, ProcessInfo>> {
  if (process.platform !== 'linux') return fromPs(['-ax'])
  const found = new Map<number, ProcessInfo>()
  const turn = new Turn()
  for (const pid of listPids()) {
    const info = fromProc(pid)
    if (info) found.set(pid, info)
    await turn.over()
  }
  return found
}

/** Of the processes that are there now, as far as we see them. On Linux only. */
export function listPids(): number[] {
  return fs.readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** What the system calls what it runs, such as `node`. On Linux only. */
export function programName(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return '' // It ended while we looked.
  }
}

/** Whether it still runs. One that has ended but was not collected by its parent yet does not: some containers never collect. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isOneOf(error, ['EPERM'])) return false // EPERM: it exists, as another user's.
  }
  try {
    return !findProcess(pid)?.zombie
  } catch {
    return true // It is there; what it does cannot be read now.
  }
}

/** Suspended, as by Ctrl-Z: it lives, and does nothing until it is continued. Where that cannot be seen, false. */
export function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return false
  return /^[Tt]$/.test(statFields(pid)?.[0] ?? '')
}

/** Whether the environment it was started with holds this mark, or its limit does. One of another user answers no. */
export function carries(pid: number, marker: string): boolean {
  const entry = `${TORYO_MARK}=${marker}`
  if (process.platform === 'linux') {
    try {
      const environment = fs.readFileSync(`/proc/${pid}/environ`, 'latin1')
      return `\0${environment}`.includes(`\0${entry}\0`) || limitOf(pid) === limitFor(marker)
    } catch (error) {
      if (isOneOf(error, ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])) return false // Gone, or not ours to read.
      throw error
    }
  }
  // `ps` puts the environment behind the arguments, so an argument could pretend; markers are random, and not shown to others.
  return process.platform === 'win32'
    ? false
    : ` ${run('/bin/ps', ['-Eww', '-o', 'command=', '-p', String(pid)])} `.includes(` ${entry} `)
}

/**
 * The mark once more, as a soft limit of resident memory in kB: Linux does nothing about that limit, and each process hands it on, also
 * one that clears its environment and leaves its session. Far above what any machine has, and below what no longer is exact.
 */
export function limitFor(marker: string): number {
  return 2 ** 41 + Number.parseInt(hash('sha256', marker).slice(0, 10), 16)
}

/** Undefined where there is none, or it is not ours to read. On Linux only. */
export function limitOf(pid: number): number | undefined {
  try {
    const [, bytes] = /^Max resident set +(\d+) /m.exec(readSmall(`/proc/${pid}/limits`).toString('latin1')) ?? []
    return bytes === undefined ? undefined : Number(bytes) / 1024
  } catch (error) {
    if (!isOneOf(error, ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])) throw error
    return undefined
  }
}

/** The mark in the environment that it was started with. Of another user's nothing is known. */
export function markOf(pid: number): string | undefined {
  const name = `${TORYO_MARK}=`
  try {
    const bytes = readSmall(`/proc/${pid}/environ`)
    for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
      if (at > 0 && bytes[at - 1] !== 0) continue
      const end = bytes.indexOf(0, at)
      return bytes.toString('latin1', at + name.length, end === -1 ? bytes.length : end)
    }
  } catch (error) {
    if (!isOneOf(error, ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])) throw error
  }
  return undefined
}

/** The mark in what `ps -E` shows of a process: its arguments, then its environment. */
export function markShown(text: string): string | undefined {
  return new RegExp(` ${TORYO_MARK}=(\\S+)`).exec(` ${text}`)?.[1]
}

/** Half the cost of `readFileSync`, which asks for the size first: these files have none. */
function readSmall(file: string): Buffer {
  const fd = fs.openSync(file, 'r')
  try {
    const parts: Buffer[] = []
    for (;;) {
      const length = fs.readSync(fd, BLOCK, 0, BLOCK.length, null)
      parts.push(Buffer.from(BLOCK.subarray(0, length)))
      if (length < BLOCK.length) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    }
  } finally {
    fs.closeSync(fd)
  }
}
const BLOCK = Buffer.alloc(64 * 1024)

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(codeOf(error))
}

/** From the state on; undefined when no such process is there. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readSmall(`/proc/${pid}/stat`).toString('latin1')
    // The name in parentheses may itself hold spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch (error) {
    if (isOneOf(error, ['ENOENT', 'ESRCH'])) return undefined
    throw error // No more files can be opened, say: then we know nothing, which is not the same as gone.
  }
}

function fromProc(pid: number): ProcessInfo | undefined {
  const [state = '', parent, group, session, ...rest] = statFields(pid) ?? []
  const start = rest[15]
  if (start === undefined) return undefined
  const zombie = state === 'Z' || state === 'X'
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), start, zombie }
}

function fromPs(selection: string[]): Map<number, ProcessInfo> {
  if (process.platform === 'win32') return new Map()
  return parsePs(run('/bin/ps', [...selection, '-o', PS_COLUMNS]))
}

/** Whatever our own language and time zone: a start is compared with one that another process wrote down. */
export const PS_ENV = { LC_ALL: 'C', TZ: 'UTC' }
export const PS_COLUMNS = 'pid=,ppid=,pgid=,sess=,stat=,lstart='

export function parsePs(text: string): Map<number, ProcessInfo> {
  const found = new Map<number, ProcessInfo>()
  for (const line of text.split('\n')) {
    const [, pid, parent, group, , stat, start] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? []
    if (pid === undefined || start === undefined) continue
    // BSD shows the session as an address: the group is the nearest thing that compares.
    found.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      start,
      zombie: stat?.startsWith('Z') ?? false,
    })
  }
  return found
}

function run(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
      env: PS_ENV,
    }).trim()
  } catch {
    return '' // `ps` fails when it finds nothing; what cannot be seen is treated as not there.
  }
}
