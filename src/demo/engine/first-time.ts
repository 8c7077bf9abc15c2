// What happened in this demo already. Kept in its home, which is deleted with it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** True once for each name: the next process is not the first. */
export function isFirstTime(name: string): boolean {
  try {
    fs.writeFileSync(path.join(os.homedir(), `demo-${name}`), '', { flag: 'wx' })
    return true
  } catch {
    return false // It is there already.
  }
}
