// Logs of ended processes are kept for people; the oldest go when all of one kind take too much room.
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'

const ALL_LOGS_BYTES = 2 * 1024 ** 3

export type PruneOptions = {
  most?: number
  /** Whether a process still writes to this file, named as seen from the folder. */
  isOpen: (name: string) => boolean
}

/** All `.log` files of a folder and the folders in it. What cannot be read or removed now is left for the next time. */
export async function pruneLogs(folder: string, { most = ALL_LOGS_BYTES, isOpen }: PruneOptions): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = await Promise.all(
    names
      .filter(name => name.endsWith('.log'))
      .map(async name => ({ name, ...(await sizeOf(path.join(folder, name))) })),
  )
  let sum = 0
  for (const { name, size } of files.sort((a, b) => b.at - a.at)) {
    sum += size
    if (sum <= most || size === 0 || isOpen(name)) continue
    await rm(path.join(folder, name), { force: true }).catch(() => {})
    const around = path.dirname(name)
    if (around !== '.') await rmdir(path.join(folder, around)).catch(() => {}) // There is more in it.
  }
}

async function sizeOf(file: string): Promise<{ size: number; at: number }> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.isFile() ? { size: stats.size, at: stats.mtimeMs } : { size: 0, at: 0 }
}
