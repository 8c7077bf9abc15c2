// How much room is left where we write.
import fs from 'node:fs'

/** With less than this a full disk, on which nothing can be written any more, is near. */
export const LOW_DISK_BYTES = 500_000_000

export function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder)
  return bavail * bsize
}
