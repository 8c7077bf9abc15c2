// The only SQL for what the ranked index keeps beside the database's own: sizes, lengths, frequencies, and how far a
// rebuild is.
import { type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import type { IndexTables } from './schema.ts'
import { type Document, encodeFrequencies } from './search/document.ts'
import type { Corpus } from './search/rank.ts'

export type Place = { id: number; scope: number; topicId: number | null }
export type IndexState = { version: string; rebuild: Rebuild | null }
/** What is still to be indexed of each kind: from the first id to the last. */
export type Rebuild = { topic: [number, number]; log: [number, number]; decision: [number, number]; total: number }

const addDocument = fixed((q: Kysely<IndexTables>, values: IndexTables['memory_documents']) => {
  const { id, scope, topic_id, length, frequencies } = values
  return q.insertInto('memory_documents').values({ id, scope, topic_id, length, frequencies })
})
const documentOf = fixed((q: Kysely<IndexTables>, values: { id: number }) =>
  q.selectFrom('memory_documents').select(['length', 'frequencies']).where('id', '=', values.id),
)
const setDocument = fixed(
  (q: Kysely<IndexTables>, values: Pick<IndexTables['memory_documents'], 'id' | 'length' | 'frequencies'>) =>
    q
      .updateTable('memory_documents')
      .set({ length: values.length, frequencies: values.frequencies })
      .where('id', '=', values.id),
)
const grow = fixed((q: Kysely<IndexTables>, values: IndexTables['memory_scopes']) => {
  const { scope, documents, length } = values
  return q
    .insertInto('memory_scopes')
    .values({ scope, documents, length })
    .onConflict(conflict =>
      conflict.column('scope').doUpdateSet({
        documents: sql`memory_scopes.documents + excluded.documents`,
        length: sql`memory_scopes.length + excluded.length`,
      }),
    )
})

const scopeOf = fixed((q: Kysely<IndexTables>, values: { scope: number }) =>
  q.selectFrom('memory_scopes').select(['documents', 'length']).where('scope', '=', values.scope),
)
const allScopes = fixed((q: Kysely<IndexTables>, _values: Record<string, never>) =>
  q.selectFrom('memory_scopes').select('scope'),
)
const stateOf = fixed((q: Kysely<IndexTables>, _values: Record<string, never>) =>
  q.selectFrom('memory_index').select(['version', 'rebuild']),
)
const saveState = fixed((q: Kysely<IndexTables>, values: IndexTables['memory_index']) => {
  const { one, version, rebuild } = values
  return q
    .insertInto('memory_index')
    .values({ one, version, rebuild })
    .onConflict(conflict =>
      conflict.column('one').doUpdateSet({ version: sql`excluded.version`, rebuild: sql`excluded.rebuild` }),
    )
})

/** A list of ids is one value; how it is written is the database's. */
const listed = new WeakMap<TextSearch, ReturnType<typeof documentsIn>>()
function documentsIn(search: TextSearch) {
  return fixed((q: Kysely<IndexTables>, values: { ids: string }) =>
    q.selectFrom('memory_documents').select(['id', 'length', 'frequencies']).where(search.inList(sql`id`, values.ids)),
  )
}

export class IndexStore {
  readonly #rows: Rows
  readonly #q
  readonly #search: TextSearch
  readonly #growth = new Map<number, Growth>()

  constructor(rows: Rows, search: TextSearch) {
    this.#rows = rows
    this.#q = rows.tables<IndexTables>()
    this.#search = search
  }

  async add(tx: Tx, place: Place, document: Document): Promise<void> {
    await addDocument(tx, {
      id: place.id,
      scope: place.scope,
      topic_id: place.topicId,
      length: document.length,
      frequencies: encodeFrequencies(document.frequencies),
    })
    await this.#search.ranked.add(tx, { ...document, id: place.id, scope: place.scope })
    const growth = this.#growthOf(place.scope)
    growth.documents += 1
    growth.length += document.length
    for (const term of document.frequencies.keys()) growth.count(term, 1)
  }

  /** Does nothing for a record that is not indexed yet, or by another analyser: the rebuild comes to it. */
  async replace(tx: Tx, place: Place, before: Document, document: Document): Promise<void> {
    const [stored] = await documentOf(tx, { id: place.id })
    const known = before.frequencies
    // Taking out other words than went in would spoil the index; then it stays until the rebuild that is due.
    if (!stored || Buffer.compare(stored.frequencies, encodeFrequencies(known)) !== 0) return
    const growth = this.#growthOf(place.scope)
    growth.length += document.length - stored.length
    for (const term of document.frequencies.keys()) if (!known.has(term)) growth.count(term, 1)
    for (const term of known.keys()) if (!document.frequencies.has(term)) growth.count(term, -1)
    const { id, scope } = place
    await setDocument(tx, { id, length: document.length, frequencies: encodeFrequencies(document.frequencies) })
    await this.#search.ranked.replace(tx, { ...before, id, scope }, { ...document, id, scope })
  }

  /** Writes the counts that `add` and `replace` gathered: records that share words cost their rows once. */
  async flush(tx: Tx): Promise<void> {
    for (const [scope, growth] of this.#growth) {
      await this.#search.ranked.count(tx, scope, growth.terms)
      await grow(tx, { scope, documents: growth.documents, length: growth.length })
    }
    this.#growth.clear()
  }

  #growthOf(scope: number): Growth {
    let growth = this.#growth.get(scope)
    if (!growth) this.#growth.set(scope, (growth = new Growth()))
    return growth
  }

  async documents(
    ids: readonly number[],
  ): Promise<Pick<IndexTables['memory_documents'], 'id' | 'length' | 'frequencies'>[]> {
    if (ids.length === 0) return []
    let query = listed.get(this.#search)
    if (!query) listed.set(this.#search, (query = documentsIn(this.#search)))
    return query(this.#rows, { ids: this.#search.listOf(ids) })
  }

  async corpus(scope: number): Promise<Corpus> {
    const [row] = await scopeOf(this.#rows, { scope })
    return { documents: row?.documents ?? 0, length: row?.length ?? 0 }
  }

  counts(scope: number, terms: readonly number[]): Promise<Map<number, number>> {
    return this.#search.ranked.counts(this.#rows, scope, terms)
  }

  async state(): Promise<IndexState | undefined> {
    const [row] = await stateOf(this.#rows, {})
    if (!row) return undefined
    return { version: row.version, rebuild: row.rebuild === null ? null : (JSON.parse(row.rebuild) as Rebuild) }
  }

  async setState(state: IndexState): Promise<void> {
    const { version, rebuild } = state
    await saveState(this.#rows, { one: 1, version, rebuild: rebuild && JSON.stringify(rebuild) })
  }

  async clear(tx: Tx): Promise<void> {
    const scopes = await allScopes(tx, {})
    await this.#search.ranked.clear(
      tx,
      scopes.map(row => row.scope),
    )
    await this.#q.deleteFrom('memory_scopes').execute()
    await this.#q.deleteFrom('memory_documents').execute()
  }
}

class Growth {
  documents = 0
  length = 0
  readonly terms = new Map<number, number>()

  count(term: number, by: number): void {
    this.terms.set(term, (this.terms.get(term) ?? 0) + by)
  }
}
