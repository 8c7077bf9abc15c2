// Pure: what differs in each worktree, and with whom it overlaps.
import type { ApiOutput } from '#contract/api.ts'
import type { ChangedFileView } from '#contract/worktrees.ts'

export type Overlap = ApiOutput<'overlap.list'>['overlaps'][number]
type Side = Overlap['a']

export function totalOf(files: readonly ChangedFileView[]): { added: number; removed: number } {
  return files.reduce(
    (sum, { added = 0, removed = 0 }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  )
}

/** A task by its handle, a tab by its id. */
export function nameOf({ handle, tab_id, worktree_id }: Side): string {
  return handle ?? tab_id ?? worktree_id
}

/** Who else changes this file at the same time, by path. The stronger kind comes first. */
export function othersOn(overlaps: readonly Overlap[], worktreeId: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { a, b, files } of overlaps) {
    if (a.worktree_id !== worktreeId && b.worktree_id !== worktreeId) continue
    const other = nameOf(a.worktree_id === worktreeId ? b : a)
    for (const file of files) found.set(file, [...new Set([...(found.get(file) ?? []), other])])
  }
  return found
}

/** Each pair once: where two would not merge, that they touch the same lines says nothing more. */
export function pairsOf(overlaps: readonly Overlap[]): Overlap[] {
  const keyOf = ({ a, b }: Overlap) => `${a.worktree_id} ${b.worktree_id}`
  const hard = new Set(overlaps.filter(({ kind }) => kind === 'conflict').map(keyOf))
  return overlaps.filter(one => one.kind === 'conflict' || !hard.has(keyOf(one)))
}
