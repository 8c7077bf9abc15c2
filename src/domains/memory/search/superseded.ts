type Ranked = {
  kind: string
  id: number
  score: number
  createdAt: number
  supersedes: number | null
  supersededBy: number | null
}

/** Best first, and every decision below the one that replaced it: the newer takes the older's place if that was higher. */
export function currentFirst<R extends Ranked>(hits: readonly R[]): R[] {
  const decisions = new Map<number, R>()
  for (const hit of hits) if (hit.kind === 'decision') decisions.set(hit.id, { ...hit })
  const oldestFirst = [...decisions.values()].sort((a, b) => a.id - b.id)
  for (const older of oldestFirst) {
    const newer = older.supersededBy === null ? undefined : decisions.get(older.supersededBy)
    if (newer) newer.score = Math.max(newer.score, older.score)
  }
  for (const older of oldestFirst.reverse()) {
    const newer = older.supersededBy === null ? undefined : decisions.get(older.supersededBy)
    if (newer) older.score = Math.min(older.score, newer.score * BELOW)
  }
  const all = hits.map(hit => (hit.kind === 'decision' ? (decisions.get(hit.id) ?? hit) : hit))
  return all.sort((a, b) => b.score - a.score || b.createdAt - a.createdAt || b.id - a.id)
}

const BELOW = 0.9
