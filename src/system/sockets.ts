// Which sockets a process holds, as Linux lists its open files. Must not know what goes over them.
import fs from 'node:fs'
import { codeOf } from './files.ts'

/** Of these inodes, those that it has open. `hidden`: a process whose files we may not look at. */
export function socketsOf(pid: number, inodes: ReadonlySet<string>): string[] | 'hidden' {
  const folder = `/proc/${pid}/fd`
  try {
    return fs.readdirSync(folder).flatMap(fd => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkAt(`${folder}/${fd}`))?.[1]
      return inode !== undefined && inodes.has(inode) ? [inode] : []
    })
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes(codeOf(error)) ? [] : 'hidden'
  }
}

function linkAt(path: string): string {
  try {
    return fs.readlinkSync(path)
  } catch {
    return '' // Closed meanwhile.
  }
}
