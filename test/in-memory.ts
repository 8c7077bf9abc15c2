import { readFileSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** For the log that is written ahead, and several dozen databases. */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * A folder that the kernel keeps in memory, if there is room: a database has 650 files, and on a disk making and removing them
 * takes ten times as much processor time. Not where no program may be run, since the server itself may have to be copied there.
 */
export function inMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(FOLDER)
    const mounted = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .some(line => line.includes(` ${FOLDER} tmpfs `) && !/\bnoexec\b/.test(line))
    return mounted && bavail * bsize > ROOM_BYTES ? FOLDER : undefined
  } catch {
    // No such thing on this system.
    return undefined
  }
}
