// Whether this process, or one that it comes from, was started by a hub. Programs may give their MCP servers a clean environment,
// so ours alone does not tell.
import fs from 'node:fs'
import type { Env } from './locate.ts'

const MARK = 'TORYO_MARK'
/** Nobody is started through more hands than this; a loop would be a surprise, not a reason to hang. */
const GENERATIONS = 32

export function comesFromHub(env: Env): boolean {
  if (env[MARK] !== undefined) return true
  let pid = process.ppid
  for (let n = 0; n < GENERATIONS && pid > 1; n++) {
    if (
      read(`/proc/${pid}/environ`)
        .split('\0')
        .some(entry => entry.startsWith(`${MARK}=`))
    )
      return true
    // The name stands in brackets and may hold any sign; the parent is the second field behind it.
    const stat = read(`/proc/${pid}/stat`)
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
  }
  return false
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return '' // Somebody else's, gone, or another kind of system, where no hub could tell either.
  }
}
