// Ranked search over topics, entries and decisions: what the words propose, in one order on every database; joined with
// nearness of meaning where an embedder is configured.
import { sql } from 'kysely'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { type Found, Loader } from './found.ts'
import { type Change, IndexStore, type Marks } from './index-store.ts'
import { EVERYWHERE, KINDS, type Kind, recordOf } from './model.ts'
import type { Embedder } from './ports.ts'
import { queryTerms } from './search/analyser.ts'
import { frequenciesOf } from './search/document.ts'
import { bm25, type Corpus, fuse, FUSION_UNIT, idf, proposalIdf, proposers, weigh } from './search/rank.ts'
import { currentFirst } from './search/superseded.ts'
import { nearest } from './vectors.ts'
import { waitingFor } from './waiting.ts'

export type RecallQuery = {
  project: number
  queries: readonly string[]
  kinds?: readonly Kind[] | undefined
  topicId?: number | undefined
  limit: number
  /** Leaves the embedder alone, for questions asked inside a transaction. */
  wordsOnly?: boolean
}
export type Hit = Found & { score: number }
/** `semantic`: whether meaning was asked, could not be, or is not configured. */
export type Recalled = { hits: Hit[]; semantic: 'used' | 'down' | 'off'; indexing?: { done: number; total: number } }

/** So many postings are scored exactly, more where there are very many records; beyond, only those of the rarest words. */
const LEAST_POSTINGS = 6_000
const MOST_POSTINGS = 20_000
const SHARE_OF_RECORDS = 0.02
/** Exactly scored. Among documents that hold the same words equally often, the newest are proposed. */
const PROPOSED = 400
/** Age and kind move a record by less than this many times the limit. */
const LOADED_PER_HIT = 3
const EMBED_MS = 5_000

type Deps = { db: Db; search: TextSearch; clock: Clock; embedder: () => Embedder | undefined }

export class Recall {
  readonly #deps: Deps
  readonly #index: IndexStore

  constructor(deps: Deps) {
    this.#deps = deps
    this.#index = new IndexStore(deps.db, deps.search)
  }

  async find(query: RecallQuery): Promise<Recalled> {
    const state = await this.#index.state()
    const ranked = await this.#ranked(query, state?.indexed)
    const near = await this.#near(query)
    const best = near.ids ? fused(ranked, near.ids) : ranked
    const hits = await this.#weighed(best, query)
    const rebuild = state?.rebuild
    const left = rebuild
      ? KINDS.reduce((sum, kind) => sum + Math.max(0, rebuild[kind][1] - rebuild[kind][0] + 1), 0)
      : 0
    return {
      hits,
      semantic: near.semantic,
      ...(rebuild && { indexing: { done: rebuild.total - left, total: rebuild.total } }),
    }
  }

  /** Documents and their scores by words alone, best first. */
  async #ranked(query: RecallQuery, marks: Marks | undefined): Promise<[number, number][]> {
    const terms = queryTerms(query.queries)
    if (terms.length === 0) return []
    const scopes: Scope[] = []
    for (const scope of [query.project, EVERYWHERE]) {
      const found = await this.#scope(scope, terms, marks)
      if (found.corpus.documents > 0) scopes.push(found)
    }
    const documents = scopes.reduce((sum, { corpus }) => sum + corpus.documents, 0)
    const length = scopes.reduce((sum, { corpus }) => sum + corpus.length, 0)
    const df = (term: number) => scopes.reduce((sum, { counts }) => sum + (counts.get(term) ?? 0), 0)
    const idfs = new Map(terms.filter(term => df(term) > 0).map(term => [term, idf(documents, df(term))]))
    const frequencies = frequenciesOf(idfs.keys())
    const score = (of: ReadonlyMap<number, number>, its: number) => bm25(idfs, of, its, length / documents)
    const scored: [number, number][] = []
    for (const { waiting, ...scope } of scopes) {
      const proposed = await this.#proposed(scope, query)
      const fresh = await this.#among(query, [...waiting.keys()])
      for (const row of await this.#index.documents(proposed.filter(id => !waiting.has(id))))
        scored.push([row.id, score(frequencies(row.frequencies), row.length)])
      for (const id of fresh) {
        const { document } = waiting.get(id) as Change
        if (terms.some(term => document.frequencies.has(term)))
          scored.push([id, score(document.frequencies, document.length)])
      }
    }
    return scored.sort(byScore)
  }

  /** A scope as it is with those that wait for its index. */
  async #scope(scope: number, terms: readonly number[], marks: Marks | undefined): Promise<Scope> {
    const { db, search } = this.#deps
    const waiting = marks && (await waitingFor(db, search, marks, scope))
    const { documents, length } = await this.#index.corpus(scope)
    const counts = documents > 0 ? await this.#index.counts(scope, terms) : new Map<number, number>()
    if (!waiting || waiting.changes.size === 0)
      return { scope, corpus: { documents, length }, counts, waiting: new Map() }
    const { growth, changes } = waiting
    for (const term of terms) {
      const count = (counts.get(term) ?? 0) + (growth.terms.get(term) ?? 0)
      if (count > 0) counts.set(term, count)
    }
    const corpus = { documents: documents + growth.documents, length: length + growth.length }
    return { scope, corpus, counts, waiting: changes }
  }

  async #proposed({ scope, corpus, counts }: Omit<Scope, 'waiting'>, query: RecallQuery): Promise<number[]> {
    const { terms, order } = proposers(counts, budgetOf(corpus))
    if (terms.length === 0) return []
    const told = terms.map(term => ({ term, idf: proposalIdf(corpus.documents, counts.get(term) ?? 0) }))
    const wanted = { scope, terms: told, order, limit: PROPOSED, filter: this.#filter(query) }
    return this.#deps.search.ranked.find(this.#deps.db, wanted)
  }

  /** Those of the documents that are asked for. */
  async #among(query: RecallQuery, ids: readonly number[]): Promise<number[]> {
    const ofKind = ids.filter(id => isOf(query.kinds, id))
    if (query.topicId === undefined || ofKind.length === 0) return ofKind
    const allowed = await this.#documentsBelow(query.topicId)
    return ofKind.filter(id => allowed.has(id))
  }

  async #near(query: RecallQuery): Promise<{ ids?: number[]; semantic: Recalled['semantic'] }> {
    const { db } = this.#deps
    const embedder = this.#deps.embedder()
    if (!embedder || query.wordsOnly) return { semantic: 'off' }
    try {
      const vectors = await embedder.embed(query.queries, AbortSignal.timeout(EMBED_MS))
      const allowed = query.topicId === undefined ? undefined : await this.#documentsBelow(query.topicId)
      const accepts = (id: number) => isOf(query.kinds, id) && (allowed === undefined || allowed.has(id))
      const scopes = [query.project, EVERYWHERE]
      const ids = await nearest(db, { scopes, model: embedder.model, vectors, limit: PROPOSED }, accepts)
      return { ids, semantic: 'used' }
    } catch {
      // Whatever is wrong with the other machine, words still find; the answer says that only they were asked.
      return { semantic: 'down' }
    }
  }

  async #weighed(ranked: readonly [number, number][], query: RecallQuery): Promise<Hit[]> {
    const top = ranked.slice(0, query.limit * LOADED_PER_HIT)
    const loader = new Loader(this.#deps.db, this.#deps.search)
    const found = await loader.load(top.map(([id]) => id))
    const now = this.#deps.clock.now()
    const hits = top.flatMap(([id, score]) => {
      const record = found.get(id)
      return record ? [{ ...record, score: weigh(score, record.kind, now - record.createdAt) }] : []
    })
    const newer = query.topicId === undefined && isWanted(query.kinds, 'decision') ? await loader.newerOf(hits) : []
    const ordered = currentFirst([...hits, ...newer.map(record => ({ ...record, score: 0 }))])
    return ordered.slice(0, query.limit)
  }

  #filter(query: RecallQuery) {
    const { kinds, topicId } = query
    if (!kinds && topicId === undefined) return undefined
    return (id: ReturnType<typeof sql<number>>) => {
      const ofKind = kinds ? this.#deps.search.among(sql`(${id} % 4)`, kinds.map(numberOf)) : sql<boolean>`true`
      if (topicId === undefined) return ofKind
      return sql<boolean>`${ofKind} AND ${id} IN (${below(topicId)})`
    }
  }

  async #documentsBelow(topicId: number): Promise<Set<number>> {
    const { rows } = await sql<{ id: number }>`${below(topicId)}`.execute(this.#deps.db.tables())
    return new Set(rows.map(row => row.id))
  }
}

/** The documents of a topic and of all topics below it. */
function below(topicId: number) {
  const number = (kind: Kind) => sql`* 4 + ${sql.lit(KINDS.indexOf(kind))}`
  return sql`
    WITH RECURSIVE below(id) AS (
      SELECT CAST(${topicId} AS BIGINT) UNION SELECT topics.id FROM topics JOIN below ON topics.parent_id = below.id
    )
    SELECT below.id ${number('topic')} AS id FROM below
    UNION ALL SELECT entries.id ${number('log')} FROM entries JOIN below ON entries.topic_id = below.id
    UNION ALL SELECT decisions.id ${number('decision')} FROM decisions JOIN below ON decisions.topic_id = below.id`
}

/** `counts`: how many of its documents hold each of the terms that are asked for. */
type Scope = {
  scope: number
  corpus: Corpus
  counts: Map<number, number>
  waiting: ReadonlyMap<number, Change>
}

function budgetOf({ documents }: Corpus): number {
  return Math.min(MOST_POSTINGS, Math.max(LEAST_POSTINGS, documents * SHARE_OF_RECORDS))
}

const numberOf = (kind: Kind) => KINDS.indexOf(kind)
const isWanted = (kinds: readonly Kind[] | undefined, kind: Kind) => !kinds || kinds.includes(kind)
const isOf = (kinds: readonly Kind[] | undefined, document: number) => isWanted(kinds, recordOf(document).kind)

function byScore(a: readonly [number, number], b: readonly [number, number]): number {
  return b[1] - a[1] || b[0] - a[0]
}

function fused(ranked: readonly [number, number][], near: readonly number[]): [number, number][] {
  const both = fuse([ranked.map(([id]) => id), near])
  return [...both].map(([id, score]): [number, number] => [id, score / FUSION_UNIT]).sort(byScore)
}
