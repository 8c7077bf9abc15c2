// The courtesy that Claude Code's own processes show each other: a folder beside the file while it is being changed, stale
// after ten seconds. Only advice, there as here: without it we still never write over what we have not seen.
import { codeOf, type Disk, pause, removeFolder } from './disk.ts'

const STALE_MS = 10_000
const TRIES = 60
const POLL_MS = 25

export type EngineLock = { release(): void }

export async function takeEngineLock(disk: Disk, folder: string): Promise<EngineLock> {
  const without = { release() {} }
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      disk.mkdirSync(folder)
      return { release: () => removeFolder(disk, folder) }
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') return without
    }
    const stats = disk.lstatSync(folder, { throwIfNoEntry: false })
    if (stats?.isDirectory() && Math.abs(Date.now() - stats.mtimeMs) > STALE_MS) removeFolder(disk, folder)
    else await pause(POLL_MS)
  }
  return without
}
