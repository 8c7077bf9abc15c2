// Whether this process, or one that it comes from, was started by a hub or a Runner. Programs may give their MCP servers a clean
// environment, so ours alone does not tell.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import type { Env } from './locate.ts'

const MARK = 'TORYO_MARK'
/** Nobody is started through more hands than this; a loop would be a surprise, not a reason to hang. */
const GENERATIONS = 32

export function comesFromHub(env: Env): boolean {
  if (env[MARK] !== undefined) return true
  if (process.platform === 'linux') return ancestors(parentInProc).some(pid => hasMark(environIn(pid)))
  // Nothing on Windows, where no hub starts agents.
  return process.platform === 'win32' ? false : askPs()
}

function ancestors(parentOf: (pid: number) => number | undefined): number[] {
  const found: number[] = []
  let pid: number | undefined = process.ppid
  for (; pid !== undefined && pid > 1 && found.length < GENERATIONS; pid = parentOf(pid)) found.push(pid)
  return found
}

function parentInProc(pid: number): number | undefined {
  // The name stands in brackets and may hold any sign; the parent is the second field behind it.
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

function environIn(pid: number): string[] {
  return read(`/proc/${pid}/environ`).split('\0')
}

function hasMark(entries: readonly string[]): boolean {
  return entries.some(entry => entry.startsWith(`${MARK}=`))
}

/** It puts the environment behind the arguments, so that an argument could pretend: then there are no tools, and no harm. */
function askPs(): boolean {
  const parents = new Map<number, number>()
  for (const line of ps(['-axo', 'pid=,ppid=']).split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    if (pid !== undefined && parent !== undefined) parents.set(pid, parent)
  }
  const all = ancestors(pid => parents.get(pid))
  return all.length > 0 && hasMark(ps(['-Eww', '-o', 'command=', '-p', all.join(',')]).split(/\s+/))
}

function ps(args: string[]): string {
  try {
    return execFileSync('/bin/ps', args, { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5000 })
  } catch {
    return '' // As if nothing could be seen.
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return '' // Somebody else's, or gone.
  }
}
