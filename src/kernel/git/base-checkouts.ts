// Where a branch is checked out, and what lies there unsaved: what a merge into it would meet. Looks only, and locks nothing.
import { checkoutsOn, tipOf } from './base.ts'
import type { Git } from './git.ts'
import { withOverlay } from './overlay.ts'
import type { Repository } from './repository.ts'
import { operationIn } from './unsaved.ts'
import { unsavedIn } from './unsaved-paths.ts'

export type BaseCheckout = {
  path: string
  /** No tracked file differs from the commit. */
  isClean: boolean
  /** Those of the files that cannot be overwritten: changed, staged, or not known to git. With a conflict: wherever it is. */
  inTheWay: string[]
  /** A merge, rebase or the like that has not been finished there. */
  operation: string | undefined
}

const SHOWN = 20

/** `files`: what the merge would write. */
export async function baseCheckouts(
  git: Git,
  repository: Repository,
  ref: string,
  files: readonly string[],
): Promise<BaseCheckout[]> {
  const tip = await tipOf(git, repository, ref)
  if (tip === undefined) return []
  const written = new Set(files)
  const found: BaseCheckout[] = []
  for (const checkout of await checkoutsOn(git, repository, ref)) {
    const { unsaved, unmerged, loose } = await withOverlay(git, checkout, overlay =>
      unsavedIn(overlay, tip, { others: true }),
    )
    const touched = [...unsaved, ...loose].filter(path => written.has(path))
    const inTheWay = [...new Set([...unmerged, ...touched])]
    found.push({
      ...{ path: checkout.path, isClean: unsaved.size === 0 && unmerged.length === 0 },
      inTheWay: inTheWay.slice(0, SHOWN),
      operation: await operationIn(checkout.gitDir),
    })
  }
  return found
}
