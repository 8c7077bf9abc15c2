// Owns which of our open files a child would inherit. Node closes its own at exec; what our parent left open, and what native
// code opened, it does not. Must not know which child.
import fs from 'node:fs'
import { codeOf } from './files.ts'

const CLOSE_ON_EXEC = 0o2000000

/** What each number leads to, and whether that stays with us. A hub of a thousand connections is asked before every git. */
const known = new Map<number, { target: string; closes: boolean }>()

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
    const target = fs.readlinkSync(`/proc/self/fd/${fd}`)
    const before = known.get(fd)
    if (before?.target === target) return before.closes
    const flags = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
    const closes = flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0
    // A socket or pipe has a number of its own in this text; a file of the same name is opened the same way again.
    known.set(fd, { target, closes })
    return closes
  } catch (cause) {
    // The descriptor of the listing itself is gone by now. Elsewhere than on Linux nothing says so: take each for open.
    return codeOf(cause) === 'ENOENT' && fs.existsSync('/proc/self/fdinfo')
  }
}
