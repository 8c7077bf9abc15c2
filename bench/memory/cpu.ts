// CPU time of this process and, with PostgreSQL, of the server's processes that work for it.
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds since some moment. */
export type CpuClock = () => number

export const ownCpu: CpuClock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Of those that serve this database now; Linux only. Connections that come later are not counted: warm up first. */
export function cpuWithServer(database: string): CpuClock {
  const serving = readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && isServing(pid, database))
  if (serving.length === 0) throw new Error(`no process of PostgreSQL serves ${database}`)
  return () => serving.reduce((sum, pid) => sum + cpuOf(pid), ownCpu())
}

function isServing(pid: string, database: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(`postgres: toryo ${database} `)
  } catch {
    return false // It has ended meanwhile.
  }
}

function cpuOf(pid: string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')
  return Number(nanoseconds) / 1e6
}
