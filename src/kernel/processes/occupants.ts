// What occupies a folder: processes whose working directory or program is there.
import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { listPids, programName } from '#system/processes.ts'
import { Turn } from '#system/turn.ts'

export type Occupant = { pid: number; name: string }

/** `folder` is without links. Processes of other users cannot be seen. */
export async function occupants(folder: string): Promise<Occupant[]> {
  if (process.platform === 'linux') return fromProc(folder)
  if (process.platform === 'darwin') return fromLsof(folder)
  return []
}

async function fromProc(folder: string): Promise<Occupant[]> {
  const found: Occupant[] = []
  const turn = new Turn()
  for (const pid of listPids()) {
    if (isIn(folder, linkOf(`/proc/${pid}/cwd`)) || isIn(folder, linkOf(`/proc/${pid}/exe`)))
      found.push({ pid, name: programName(pid) })
    await turn.over()
  }
  return found
}

/** Undefined for a process that has ended, is another user's or belongs to the kernel. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path).replace(/ \(deleted\)$/, '')
  } catch {
    return undefined
  }
}

async function fromLsof(folder: string): Promise<Occupant[]> {
  const found: Occupant[] = []
  const { stdout } = await promisify(execFile)('/usr/sbin/lsof', ['-w', '-d', 'cwd', '-Fpcn'], {
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' })) // It ends with 1 when anything was unreadable.
  let current: Occupant = { pid: 0, name: '' }
  for (const line of stdout.split('\n')) {
    if (line.startsWith('p')) current = { pid: Number(line.slice(1)), name: '' }
    if (line.startsWith('c')) current.name = line.slice(1)
    if (line.startsWith('n') && isIn(folder, line.slice(1))) found.push(current)
  }
  return found
}

function isIn(folder: string, path: string | undefined): boolean {
  if (path === undefined || !isAbsolute(path)) return false
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
