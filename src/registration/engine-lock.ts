// The courtesy that Claude Code's own processes show each other: a folder beside the file while it is being changed. Its rule
// (proper-lockfile's): its holder touches it every few seconds, and one that is ten seconds old counts as abandoned.
import { pause } from '#system/pause.ts'
import { codeOf, type Disk, removeFolder } from '#system/files.ts'

const STALE_MS = 10_000
/** A little longer than the rule: one that was left a moment ago can then be taken over. */
const PATIENCE_MS = 11_000
const POLL_MS = 25

export type EngineLock = { release(): void }

/** For tests. */
export type LockTime = {
  /** Of the clock by which files are dated. */
  now(): number
  /** Of one that is never set. */
  elapsed(): number
  pause(ms: number): Promise<void>
}

const REAL: LockTime = { now: () => Date.now(), elapsed: () => performance.now(), pause }

/** Undefined when a process of the engine kept it all the time: then the file is not ours to change. */
export async function takeEngineLock(
  disk: Disk,
  folder: string,
  time: LockTime = REAL,
): Promise<EngineLock | undefined> {
  const since = time.elapsed()
  for (;;) {
    try {
      disk.mkdirSync(folder)
      return { release: () => removeFolder(disk, folder) }
    } catch (cause) {
      // No program can lock where nothing can be created; writing the file will then show whether it is possible.
      if (codeOf(cause) !== 'EEXIST') return { release() {} }
    }
    const stats = disk.lstatSync(folder, { throwIfNoEntry: false })
    const isStale = stats?.isDirectory() && Math.abs(time.now() - stats.mtimeMs) > STALE_MS
    if (time.elapsed() - since > PATIENCE_MS) return undefined
    if (isStale) removeFolder(disk, folder)
    // Also after a removal: of a folder with something in it there is none.
    if (stats) await time.pause(POLL_MS)
  }
}
