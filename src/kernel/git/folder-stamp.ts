// Whether anything in a checkout may have changed since the last look, without reading a file: git compares the times of those that it
// tracks, and of the others and of those that differ only the times are looked at.
import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Turn } from '#system/turn.ts'
import { copyIndex } from './survey.ts'
import { changedInFolder } from './folder-state.ts'
import type { Git } from './git.ts'
import { headOfNested } from './nested.ts'
import { type Checkout, withOverlay } from './overlay.ts'
import { fileAt } from './path-text.ts'
import { headCommit } from './snapshot.ts'

/** Another one when something has changed, and now and then although nothing has. */
export function folderStamp(git: Git, checkout: Checkout, signal?: AbortSignal): Promise<string> {
  const { path: root, gitDir } = checkout
  return withOverlay(
    git,
    checkout,
    async overlay => {
      const index = join(gitDir, 'index')
      const head = await headCommit(git, checkout)
      const hash = createHash('sha256').update(`${head} ${await timesOf(index)}`)
      await copyIndex(index, overlay.index)
      const { changed, loose, nested } = await changedInFolder(overlay, head)
      const turn = new Turn()
      for (const { path, mode } of [...changed, ...loose.map(path => ({ path, mode: '' }))]) {
        const now = mode === '160000' ? await headOfNested(root, path) : await timesOf(fileAt(root, path))
        hash.update(`\0${path}\0${now}`)
        await turn.over()
      }
      return hash.update(nested.join('\0')).digest('hex')
    },
    signal,
  )
}

async function timesOf(file: string | Buffer): Promise<string> {
  const info = await lstat(file, { bigint: true }).catch(() => undefined)
  return info ? `${info.mtimeNs} ${info.ctimeNs} ${info.size} ${info.ino} ${info.mode}` : ''
}
