// Finds processes without the code under test.
import fs from 'node:fs'

/** Processes that work in this folder. */
export function processesIn(directory: string): number[] {
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      try {
        const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')
        return stat[0] !== 'Z' && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      } catch {
        return false
      }
    })
}
