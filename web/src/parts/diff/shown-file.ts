import type { ChangedFileView } from '#contract/worktrees.ts'
import type { FileDiff } from './parse.ts'

/** A file of the list, with what the diff has of it. */
export function shownFile(listed: ChangedFileView, parsed: FileDiff | undefined): FileDiff {
  if (!parsed) return missing(listed)
  // The first half of a type change: the text ended before the second.
  if (parsed.status === 'deleted' && listed.status !== 'deleted')
    return { ...parsed, status: listed.status, isCut: true }
  return parsed
}

function missing({ path, from, status, binary, added = 0, removed = 0 }: ChangedFileView): FileDiff {
  return {
    ...{ mode: null, ids: null },
    ...{ path, from: from ?? null, status, modes: null, isBinary: binary === true, isPointer: false, isCut: false },
    ...{ isMissing: binary !== true, hunks: [], added, removed },
  }
}
