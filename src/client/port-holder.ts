import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LISTENING = '0A'

/** `node (pid 123)`, where the system lets us see it; undefined otherwise. */
export function portHolder(port: number): string | undefined {
  try {
    const inodes = new Set([...listeners('/proc/net/tcp', port), ...listeners('/proc/net/tcp6', port)])
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      if (holds(pid, inodes)) return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`
    }
  } catch {
    // Not Linux, or not ours to see: the port number alone has to do.
  }
  return undefined
}

function listeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync(table, 'utf8')
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(columns => columns[1]?.endsWith(suffix) && columns[3] === LISTENING)
    .map(columns => `socket:[${columns[9]}]`)
}

function holds(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(fd => {
      try {
        return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`))
      } catch {
        return false
      }
    })
  } catch {
    // Another user's process, or one that has just ended.
    return false
  }
}
