import { readFileSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
/** For the databases and what is written ahead of them, and for the folders of some tests at a time. */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * A folder that the kernel keeps in memory, if there is room: a database of PostgreSQL has 650 files, and on a disk making and
 * removing them takes ten times as much processor time. Not where no program may be run: tests write programs and run them.
 * @returns {string | undefined}
 */
export function inMemory() {
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
