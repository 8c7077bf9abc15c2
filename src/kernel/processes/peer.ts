// Which process is at the other end of a loopback connection, as far as the system tells. Linux only; elsewhere nobody knows.
import fs from 'node:fs'
import { carries, listProcesses, Turn } from './table.ts'

/** Ports as our own end sees them. */
export type PeerPorts = { readonly localPort: number | undefined; readonly remotePort: number | undefined }

const ESTABLISHED = '01'

/** Whether the other end is held by a process with this mark. What cannot be seen is answered with no. */
export async function comesFrom({ localPort, remotePort }: PeerPorts, marker: string): Promise<boolean> {
  if (process.platform !== 'linux' || localPort === undefined || remotePort === undefined) return false
  // Their local port is our remote one.
  const inode = inodeOf(remotePort, localPort)
  if (inode === undefined) return false
  const turn = new Turn()
  for (const { pid, zombie } of (await listProcesses()).values()) {
    if (!zombie && carries(pid, marker) && holds(pid, inode)) return true
    await turn.over()
  }
  return false
}

/** Whose mark the process at the other end carries, or one of those that it comes from; of these marks alone. */
export async function markBehind(
  { localPort, remotePort }: PeerPorts,
  markers: readonly string[],
): Promise<string | undefined> {
  if (process.platform !== 'linux' || localPort === undefined || remotePort === undefined) return undefined
  const inode = inodeOf(remotePort, localPort)
  if (inode === undefined) return undefined
  const all = await listProcesses()
  const turn = new Turn()
  for (const { pid, zombie } of all.values()) {
    await turn.over()
    if (zombie || !holds(pid, inode)) continue
    // A program may start its servers with an environment of their own: then its parents tell.
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent) {
      const own = at
      const found = markers.find(marker => carries(own, marker))
      if (found !== undefined) return found
    }
    return undefined
  }
  return undefined
}

function inodeOf(local: number, remote: number): string | undefined {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of read(table).split('\n').slice(1)) {
      const [, from = '', to = '', state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === ESTABLISHED && portOf(from) === local && portOf(to) === remote) return inode
    }
  }
  return undefined
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
}

function holds(pid: number, inode: string): boolean {
  try {
    const links = fs.readdirSync(`/proc/${pid}/fd`).map(fd => link(`/proc/${pid}/fd/${fd}`))
    return links.includes(`socket:[${inode}]`)
  } catch {
    return false // Gone, or not ours to look at.
  }
}

function link(path: string): string {
  try {
    return fs.readlinkSync(path)
  } catch {
    return '' // Closed meanwhile.
  }
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, 'latin1')
  } catch {
    return '' // No such table here.
  }
}
