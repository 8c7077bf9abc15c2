// How two works stand to each other.
import { emptyTree } from '#kernel/git/repository.ts'
import { sameLines, type Touched } from '#kernel/git/overlap.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import type { Scratch } from '#kernel/git/scratch.ts'
import { mayClash } from './overlap-model.ts'
import type { Seen } from './radar.ts'

export type Pair = {
  /** What was compared. */
  of: string
  lines?: readonly string[]
  conflict?: readonly string[]
  /** Whether git was asked. */
  cost: number
}

export function isOld(pair: Pair | undefined, one: Seen, other: Seen): boolean {
  return pair?.of !== subjectOf(one, other)
}

export async function compare(
  scratch: Scratch,
  one: Seen,
  other: Seen,
  format: Checkout['objectFormat'],
  signal: AbortSignal,
): Promise<Pair> {
  const of = subjectOf(one, other)
  if (!mayClash(one.touched, other.touched)) return { of, cost: 0 }
  const shared = [...one.touched.keys()].filter(path => other.touched.has(path))
  const same = await linesOf(scratch, one, other, shared, format, signal)
  // The same change made twice is no overlap.
  const lines = same.length === 0 ? [] : await scratch.differing(one.tree, other.tree, same, signal)
  const all = await scratch.conflicts(one.commit, other.commit, signal)
  // One of them may have begun before a change of the base that the other has: that is not a matter between the two.
  const own = one.base === other.base ? all : all?.filter(path => one.touched.has(path) && other.touched.has(path))
  const conflict = own !== undefined && (own.length > 0 || one.base === other.base) ? own : undefined
  return {
    of,
    ...(lines.length > 0 && { lines: lines.sort() }),
    ...(conflict && { conflict: conflict.sort() }),
    cost: 1,
  }
}

async function linesOf(
  scratch: Scratch,
  one: Seen,
  other: Seen,
  shared: readonly string[],
  format: Checkout['objectFormat'],
  signal: AbortSignal,
): Promise<string[]> {
  if (shared.length === 0) return []
  if (one.base === other.base) return sameLines(one.touched, other.touched)
  const parted = (await scratch.partedAt(one.base, other.base)) ?? emptyTree(format)
  const since = (seen: Seen): Promise<Touched> => scratch.touched(parted, seen.tree, shared, signal)
  return sameLines(await since(one), await since(other))
}

function subjectOf(one: Seen, other: Seen): string {
  return [one.commit, one.base, other.commit, other.base].join(' ')
}
