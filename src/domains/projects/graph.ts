// What tasks need of each other, as a graph. Pure, and without recursion: a chain may be as long as a project.

/** The shortest way from one to the other along what each needs; undefined: there is none. */
export function wayTo<T>(needs: ReadonlyMap<T, readonly T[]>, from: T, to: T): T[] | undefined {
  const cameFrom = new Map<T, T | undefined>([[from, undefined]])
  // A Map goes on over what is added while it is walked.
  for (const [at] of cameFrom) {
    if (at === to) return wayBack(cameFrom, to)
    for (const next of needs.get(at) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, at)
  }
  return undefined
}

function wayBack<T>(cameFrom: ReadonlyMap<T, T | undefined>, to: T): T[] {
  const way: T[] = []
  for (let at: T | undefined = to; at !== undefined; at = cameFrom.get(at)) way.push(at)
  return way.reverse()
}
