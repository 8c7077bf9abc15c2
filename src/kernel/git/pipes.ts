// Git opens what lies where its files should be. At a pipe it waits for a writer that never comes.
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readSmallFile } from './small-file.ts'

/** More than this is looked at in no repository: what waits for git then runs into its time limit. */
const MOST = 20_000

/** The first thing in a gitdir, or among its refs, that is neither a file nor a folder. */
export async function findPipe(gitDir: string): Promise<string | undefined> {
  const common = (await readSmallFile(join(gitDir, 'commondir'))).trim()
  const dirs = common === '' ? [gitDir] : [gitDir, resolve(gitDir, common)]
  const waiting = dirs.flatMap(dir => [dir, join(dir, 'refs')])
  for (let looked = 0; waiting.length > 0 && looked < MOST; ) {
    const folder = waiting.shift() as string
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [] as Dirent[])) {
      looked++
      const path = join(folder, entry.name)
      const found = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry
      if (found && !found.isFile() && !found.isDirectory()) return path
      if (entry.isDirectory() && !dirs.includes(folder)) waiting.push(path)
    }
  }
  return undefined
}
