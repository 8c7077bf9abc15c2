import { join } from 'node:path'
import { changedInFolder } from './folder-state.ts'
import { sameAsPointers } from './lfs.ts'
import type { Overlay } from './overlay.ts'
import { copyIndex } from './survey.ts'

export type UnsavedPaths = {
  /** Tracked files that are another than in the commit, in the folder or in the index. */
  unsaved: ReadonlySet<string>
  unmerged: readonly string[]
  /** Not tracked and not ignored; empty unless they were asked for. */
  loose: readonly string[]
}

/** How the files of a checkout differ from the commit that it has. A large file that stands for its pointer does not. */
export async function unsavedIn(overlay: Overlay, commit: string, { others = false } = {}): Promise<UnsavedPaths> {
  const { gitDir, commonDir } = overlay.checkout
  await copyIndex(join(gitDir, 'index'), overlay.index)
  const { staged, changed, unmerged, loose } = await changedInFolder(overlay, commit, { others, skipped: false })
  const plain = changed.filter((one): one is typeof one & { before: string } => one.before !== undefined)
  const same = await sameAsPointers(overlay, commonDir, plain)
  const unsaved = new Set([...staged, ...changed.map(({ path }) => path).filter(path => !same.has(path))])
  return { unsaved, unmerged, loose }
}
