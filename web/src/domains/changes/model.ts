// Pure: what differs in each worktree, and with whom it overlaps.
import type { ApiOutput } from '#contract/api.ts'
import type { ChangedFileView } from '#contract/worktrees.ts'
import type { FileDiff } from '../../parts/diff/parse.ts'
import type { Picked } from '../../parts/diff/rows.ts'
import type { Near } from './near.ts'

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

export type Between = Pick<Overlap, 'a' | 'b' | 'files'> & { kind: Overlap['kind'] | Near['kind'] }

/** All that overlap with another, by name, and what there is between each two. */
export function matrixOf(
  overlaps: readonly Overlap[],
  near: readonly Near[] = [],
): {
  sides: Side[]
  between: (a: Side, b: Side) => Between | undefined
} {
  const pairs: Between[] = [...pairsOf(overlaps), ...near]
  const sides = [...new Map(pairs.flatMap(({ a, b }) => [a, b]).map(side => [side.worktree_id, side])).values()]
  const is = (side: Side, other: Side) => side.worktree_id === other.worktree_id
  return {
    sides: sides.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    between: (x, y) => pairs.find(({ a, b }) => (is(a, x) && is(b, y)) || (is(a, y) && is(b, x))),
  }
}

/** The lines that a person means, as they are now. */
export function quoted(files: readonly FileDiff[], { path, from, to }: Picked): string {
  const lines = files.find(file => file.path === path)?.hunks.flatMap(hunk => hunk.lines) ?? []
  return lines
    .filter(({ now }) => now !== null && from !== null && to !== null && from <= now && now <= to)
    .map(({ text }) => text)
    .join('\n')
}

/** As people write it: `src/cart.ts:41–43`. */
export function placeOf({ path, from, to }: Picked): string {
  if (from === null || to === null) return path
  return from === to ? `${path}:${from}` : `${path}:${from}–${to}`
}

/** Each pair once: where two would not merge, that they touch the same lines says nothing more. */
export function pairsOf(overlaps: readonly Overlap[]): Overlap[] {
  const keyOf = ({ a, b }: Overlap) => `${a.worktree_id} ${b.worktree_id}`
  const hard = new Set(overlaps.filter(({ kind }) => kind === 'conflict').map(keyOf))
  return overlaps.filter(one => one.kind === 'conflict' || !hard.has(keyOf(one)))
}
