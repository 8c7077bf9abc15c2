import { readFileSync } from 'node:fs'

/** Runs that program and waits in it: the shell before it is gone, and so is its loader, which opens files of its own. */
export function waitsIn(pid: number, program: string): boolean {
  if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(program)) return false
  return /\) S [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}
