import fs from 'node:fs'
import { listPids, programName } from './processes.ts'
import { socketsOf } from './sockets.ts'

const LISTENING = '0A'

/** `node (pid 123)`, where the system lets us see it; undefined otherwise. */
export function portHolder(port: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap(table => listeners(table, port)))
  if (inodes.size === 0) return undefined
  const pid = listPids().find(one => {
    const held = socketsOf(one, inodes)
    return held !== 'hidden' && held.length > 0
  })
  return pid === undefined ? undefined : `${programName(pid)} (pid ${pid})`
}

function listeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return read(table)
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(columns => columns[1]?.endsWith(suffix) && columns[3] === LISTENING)
    .flatMap(columns => columns[9] ?? [])
}

function read(table: string): string {
  try {
    return fs.readFileSync(table, 'latin1')
  } catch {
    return '' // There may be no IPv6 here, or it is not ours to see.
  }
}
