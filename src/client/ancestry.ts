// Which marks of hubs are above this process. Programs may give their MCP servers a clean environment, so ours alone is not enough:
// those that we come from carry them, too.
import { execFileSync } from 'node:child_process'
import { TORYO_MARK } from '#system/environment-names.ts'
import { findProcess, markOf, markShown } from '#system/processes.ts'
import type { Env } from './locate.ts'

/** No chain of starts is longer than this; a loop would be a bug, not a reason to hang. */
const GENERATIONS = 64

/** Whether this process, or one that it comes from, was started by a hub. */
export function comesFromHub(env: Env): boolean {
  return env[TORYO_MARK] !== undefined || marksAbove(env).length > 0
}

/** Nearest first, each once. */
export function marksAbove(env: Env): string[] {
  const marks = new Set(env[TORYO_MARK] === undefined ? [] : [env[TORYO_MARK]])
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
  try {
    return { parent: findProcess(pid)?.parent ?? 0, mark: markOf(pid) }
  } catch {
    return { parent: 0, mark: undefined } // It cannot be read now.
  }
}

/** One look at all processes: each further one would cost as much again. */
function fromPs(): Look {
  const lines = new Map(
    ps().flatMap(line => {
      const [, pid, parent, rest = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [[Number(pid), { parent: Number(parent), rest }] as const]
    }),
  )
  return pid => {
    const { parent = 0, rest = '' } = lines.get(pid) ?? {}
    return { parent, mark: markShown(rest) }
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
    return [] // Another kind of system, where a hub could not find out either.
  }
}
