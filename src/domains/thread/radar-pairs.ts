// How two works stand to each other.
import { emptyTree } from '#kernel/git/repository.ts'
import { sameLines, type Touched } from '#kernel/git/overlap.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import type { Scratch } from '#kernel/git/scratch.ts'
import type { WorktreeId } from '#contract/id-types.ts'
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

type Ids = readonly [WorktreeId, WorktreeId]

/** What is known of pairs, whichever of the two is asked about first. */
export class Pairs {
  readonly #all = new Map<string, { ids: Ids; pair: Pair }>()
  /** Those among them that overlap: few, and the only ones reported. */
  readonly #found = new Map<string, { ids: Ids; pair: Pair }>()

  isOld(a: WorktreeId, b: WorktreeId, one: Seen, other: Seen): boolean {
    return this.#all.get(keyOf(a, b))?.pair.of !== subjectOf(one, other)
  }

  set(a: WorktreeId, b: WorktreeId, pair: Pair): void {
    const key = keyOf(a, b)
    const known = { ids: a < b ? ([a, b] as const) : ([b, a] as const), pair }
    this.#all.set(key, known)
    if (pair.lines || pair.conflict) this.#found.set(key, known)
    else this.#found.delete(key)
  }

  /** In the order of their ids. */
  overlapping(): { ids: Ids; pair: Pair }[] {
    return [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, known]) => known)
  }

  drop(id: WorktreeId): void {
    for (const [key, { ids }] of this.#all) if (ids.includes(id)) this.#delete(key)
  }

  keep(atWork: ReadonlySet<WorktreeId>): void {
    for (const [key, { ids }] of this.#all) if (!ids.every(id => atWork.has(id))) this.#delete(key)
  }

  #delete(key: string): void {
    this.#all.delete(key)
    this.#found.delete(key)
  }
}

function keyOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** Without git: undefined when they have to be merged to know. */
export function withoutMerging(one: Seen, other: Seen): Pair | undefined {
  return mayClash(one.touched, other.touched) ? undefined : { of: subjectOf(one, other), cost: 0 }
}

/** `all`: the paths that cannot be merged, where that is known already. */
export async function compare(
  scratch: Scratch,
  one: Seen,
  other: Seen,
  format: Checkout['objectFormat'],
  all: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Pair> {
  const of = subjectOf(one, other)
  const shared = [...one.touched.keys()].filter(path => other.touched.has(path))
  const same = await linesOf(scratch, one, other, shared, format, signal)
  const inConflict = new Set(all)
  // The same change made twice is no overlap; what is in conflict is not the same.
  const lines = same.every(path => inConflict.has(path))
    ? same
    : await scratch.differing(one.tree, other.tree, same, signal)
  // One of them may have begun before a change of the base that the other has: that is not a matter between the two.
  const own = one.base === other.base ? all : all?.filter(path => one.touched.has(path) && other.touched.has(path))
  const conflict = own !== undefined && (own.length > 0 || one.base === other.base) ? own : undefined
  return {
    of,
    ...(lines.length > 0 && { lines: lines.sort() }),
    ...(conflict && { conflict: [...conflict].sort() }),
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
  const [a, b] = [`${one.commit} ${one.base}`, `${other.commit} ${other.base}`]
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
