// Owns which of our open files a child would inherit. Node closes its own at exec; what our parent left open, and what native
// code opened, it does not. Must not know which child.
import fs from 'node:fs'
import { codeOf } from './files.ts'

const CLOSE_ON_EXEC = 0o2000000

export function inheritable(): number[] {
  const open = list('/proc/self/fd') ?? list('/dev/fd') ?? []
  return open.filter(fd => fd > 2 && !closesOnExec(fd))
}

function list(folder: string): number[] | undefined {
  try {
    return fs.readdirSync(folder).map(Number)
  } catch {
    return undefined // Not this kind of system.
  }
}

function closesOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
  } catch (cause) {
    // The descriptor of the listing itself is gone by now. Elsewhere than on Linux nothing says so: take each for open.
    return codeOf(cause) === 'ENOENT' && fs.existsSync('/proc/self/fdinfo')
  }
}
