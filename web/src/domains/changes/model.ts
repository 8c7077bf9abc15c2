// Pure: what differs in each worktree, and with whom it overlaps.
import type { ApiOutput } from '#contract/api.ts'
import { INTEGRATION } from '#contract/branches.ts'
import type { ChangedFileView, WorktreeView } from '#contract/worktrees.ts'
import { type FileDiff, parseDiff } from '../../parts/diff/parse.ts'
import type { Picked } from '../../parts/diff/rows.ts'
import type { Near } from './near.ts'

export type Overlap = ApiOutput<'overlap.list'>['overlaps'][number]
type Side = Overlap['a']

/** Those in which somebody works. */
export function workedIn<W extends Pick<WorktreeView, 'state' | 'branch'>>(worktrees: readonly W[]): W[] {
  return worktrees.filter(({ state, branch }) => state === 'ready' && !branch?.startsWith(INTEGRATION))
}

export function totalOf(files: readonly ChangedFileView[]): { added: number; removed: number } {
  return files.reduce(
    (sum, { added = 0, removed = 0 }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  )
}

/** A tab without a task has a branch that people know it by. */
export function withBranches(
  overlaps: readonly Overlap[],
  worktrees: readonly Pick<WorktreeView, 'worktree_id' | 'branch'>[],
): Overlap[] {
  const branches = new Map(worktrees.map(({ worktree_id, branch }) => [worktree_id, branch]))
  const named = (side: Side): Side => ({ ...side, handle: side.handle ?? branches.get(side.worktree_id) ?? null })
  return overlaps.map(one => ({ ...one, a: named(one.a), b: named(one.b) }))
}

/** A task by its handle, a tab by its branch or id. */
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

export type Place = { worktreeId: string; path: string; who: string }

/** More pairs of file and neighbour are named without their lines: each costs a look at that worktree. */
const MOST_PLACES = 12

/** Where the lines of others are to be looked up. */
export function placesOf(overlaps: readonly Overlap[], worktreeId: string): Place[] {
  const found = new Map<string, Place>()
  for (const { a, b, files } of overlaps) {
    const other = a.worktree_id === worktreeId ? b : b.worktree_id === worktreeId ? a : undefined
    if (!other) continue
    for (const path of files)
      found.set(`${other.worktree_id} ${path}`, { worktreeId: other.worktree_id, path, who: nameOf(other) })
  }
  return [...found.values()].slice(0, MOST_PLACES)
}

const MOST_RANGES = 4

/** `38–52, 60`: what a diff changes, in the lines of the file as it is now. Empty where it has no lines. */
export function changedLines(diff: string): string {
  const ranges: [from: number, to: number][] = []
  for (const { hunks } of parseDiff(diff))
    for (const { kind, now } of hunks.flatMap(({ lines }) => lines)) {
      if (kind === 'same' || now === null) continue
      const last = ranges.at(-1)
      if (last && last[1] + 1 === now) last[1] = now
      else ranges.push([now, now])
    }
  const shown = ranges.slice(0, MOST_RANGES).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return shown.join(', ') + (ranges.length > MOST_RANGES ? ', …' : '')
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
