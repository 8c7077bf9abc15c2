// Which marks of hubs this process stands below. Programs may give their MCP servers a clean environment, so ours alone does not tell:
// those that we come from carry them, too.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import type { Env } from './locate.ts'

const MARK = 'TORYO_MARK'
/** Nobody is started through more hands than this; a loop would be a surprise, not a reason to hang. */
const GENERATIONS = 64

/** Whether this process, or one that it comes from, was started by a hub. */
export function comesFromHub(env: Env): boolean {
  return env[MARK] !== undefined || marksAbove(env).length > 0
}

/** Nearest first, each once. */
export function marksAbove(env: Env): string[] {
  const marks = new Set(env[MARK] === undefined ? [] : [env[MARK]])
  const look = process.platform === 'linux' ? fromProc : fromPs()
  let pid = process.ppid
  for (let n = 0; n < GENERATIONS && pid > 1; n++) {
    const { parent, mark } = look(pid)
    if (mark !== undefined) marks.add(mark)
    pid = parent
  }
  return [...marks]
}

type Look = (pid: number) => { parent: number; mark: string | undefined }

const fromProc: Look = pid => {
  const entry = read(`/proc/${pid}/environ`)
    .split('\0')
    .find(candidate => candidate.startsWith(`${MARK}=`))
  // The name stands in brackets and may hold any sign; the parent is the second field after it.
  const stat = read(`/proc/${pid}/stat`)
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
  return { parent, mark: entry?.slice(MARK.length + 1) }
}

/** One look at everybody: each further one would cost as much again. */
function fromPs(): Look {
  const lines = new Map(
    ps().flatMap(line => {
      const [, pid, parent, rest = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [[Number(pid), { parent: Number(parent), rest }] as const]
    }),
  )
  return pid => {
    const { parent = 0, rest = '' } = lines.get(pid) ?? {}
    return { parent, mark: new RegExp(` ${MARK}=(\\S+)`).exec(` ${rest}`)?.[1] }
  }
}

function ps(): string[] {
  if (process.platform === 'win32') return []
  try {
    // After the arguments comes the environment, where we may see it.
    const args = ['-axEww', '-o', 'pid=,ppid=,command=']
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return execFileSync('/bin/ps', args, { encoding: 'latin1', stdio, timeout: 5000, maxBuffer: 64 << 20 }).split('\n')
  } catch {
    return [] // Another kind of system, where no hub could tell either.
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return '' // Somebody else's, or gone.
  }
}
