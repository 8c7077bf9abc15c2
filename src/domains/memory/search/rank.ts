// The order of what was found. Pure: the same numbers give the same order on every database.
import { BM25 } from '#kernel/search/text-search.ts'
import type { Kind } from '../model.ts'

/** What an index knows of itself; those of a project and of the whole hub add up. */
export type Corpus = { documents: number; length: number }

/** How telling a term is. Always above zero, so that a word in most records still finds the few that are there. */
export function idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** As FTS5 counts it: used where both databases must propose the same documents. */
export function proposalIdf(documents: number, frequency: number): number {
  const value = Math.log((documents - frequency + 0.5) / (frequency + 0.5))
  return value <= 0 ? 1e-6 : value
}

export function bm25(
  idfs: ReadonlyMap<number, number>,
  frequencies: ReadonlyMap<number, number>,
  length: number,
  averageLength: number,
): number {
  const norm = BM25.k1 * (1 - BM25.b + (BM25.b * length) / averageLength)
  let score = 0
  for (const [term, weight] of idfs) {
    const frequency = frequencies.get(term)
    if (frequency) score += (weight * frequency * (BM25.k1 + 1)) / (frequency + norm)
  }
  return score
}

const KIND_FACTOR: Record<Kind, number> = { decision: 1.25, topic: 1.1, log: 1 }
const HALF_LIFE_MS = 90 * 24 * 3_600_000

/** An outcome outweighs the talk that led to it; what is new outweighs a little what is old. */
export function weigh(score: number, kind: Kind, age: number): number {
  return score * KIND_FACTOR[kind] * (1 + 0.1 * 2 ** (-Math.max(0, age) / HALF_LIFE_MS))
}

/** Rank fusion: what several rankings place high comes first, whatever their scores mean. */
export function fuse(rankings: readonly (readonly number[])[]): Map<number, number> {
  const fused = new Map<number, number>()
  for (const ranking of rankings)
    for (const [rank, id] of ranking.entries()) fused.set(id, (fused.get(id) ?? 0) + 1 / (FUSION + rank + 1))
  return fused
}

const FUSION = 60
/** As much as the first places of two rankings are worth together. */
export const FUSION_UNIT = 2 / (FUSION + 1)

/** The terms whose documents are scored: all while that is cheap, else the rarest ones that fit, at least one. */
export function proposers(
  frequencies: ReadonlyMap<number, number>,
  budget: number,
): { terms: number[]; order: 'best' | 'newest' } {
  const rarestFirst = [...frequencies].filter(([, df]) => df > 0).sort((a, b) => a[1] - b[1] || a[0] - b[0])
  const chosen: number[] = []
  let sum = 0
  for (const [term, df] of rarestFirst) {
    if (chosen.length > 0 && sum + df > budget) break
    chosen.push(term)
    sum += df
  }
  return { terms: chosen, order: sum > budget ? 'newest' : 'best' }
}
