// The only SQL for what the ranked index keeps beside the database's own: sizes, lengths, frequencies, and how far a
// rebuild is.
import { type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import type { Kind } from './model.ts'
import type { IndexTables } from './schema.ts'
import { type Document, encodeFrequencies } from './search/document.ts'
import type { Corpus } from './search/rank.ts'

/** What becomes of a document: it comes, or takes the place of what it was. */
export type Change = { id: number; scope: number; before: Document | undefined; document: Document }
/** The last id of each kind that is in the indexes. */
export type Marks = Record<Kind, number>
export type IndexState = { version: string; rebuild: Rebuild | null; indexed: Marks }
/** What is still to be indexed of each kind: from the first id to the last. */
export type Rebuild = Record<Kind, [number, number]> & { total: number }

const addDocument = fixed((q: Kysely<IndexTables>, values: IndexTables['memory_documents']) => {
  const { id, length, frequencies } = values
  return q.insertInto('memory_documents').values({ id, length, frequencies })
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
  q.selectFrom('memory_index').select(['version', 'rebuild', 'indexed']),
)
const saveState = fixed((q: Kysely<IndexTables>, values: IndexTables['memory_index']) => {
  const { one, version, rebuild, indexed } = values
  return q
    .insertInto('memory_index')
    .values({ one, version, rebuild, indexed })
    .onConflict(conflict =>
      conflict.column('one').doUpdateSet({
        version: sql`excluded.version`,
        rebuild: sql`excluded.rebuild`,
        indexed: sql`excluded.indexed`,
      }),
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

  constructor(rows: Rows, search: TextSearch) {
    this.#rows = rows
    this.#q = rows.tables<IndexTables>()
    this.#search = search
  }

  /** What becomes of many: records that share words cost their rows once. */
  async apply(tx: Tx, changes: readonly Change[]): Promise<void> {
    const scopes = new Map<number, Change[]>()
    for (const change of changes) {
      const known = scopes.get(change.scope)
      if (known) known.push(change)
      else scopes.set(change.scope, [change])
    }
    for (const [scope, own] of scopes) await this.#applyTo(tx, scope, own)
  }

  async #applyTo(tx: Tx, scope: number, changes: readonly Change[]): Promise<void> {
    const { ranked } = this.#search
    const growth = new Growth()
    const fresh = changes.filter(change => change.before === undefined)
    // One after the other: between two documents for FTS5, it would write a segment for each.
    for (const { id, document } of fresh)
      await addDocument(tx, { id, length: document.length, frequencies: encodeFrequencies(document.frequencies) })
    const documents = fresh.map(({ id, document }) => ({ id, frequencies: document.frequencies }))
    await ranked.add(tx, scope, documents)
    for (const change of fresh) growth.add(change)
    for (const change of changes) if (change.before && (await this.#replace(tx, scope, change))) growth.add(change)
    await ranked.count(tx, scope, growth.terms)
    await grow(tx, { scope, documents: growth.documents, length: growth.length })
  }

  /** Does nothing for a record that is not indexed yet, or by another analyser: the rebuild comes to it. */
  async #replace(tx: Tx, scope: number, { id, before, document }: Change): Promise<boolean> {
    const [stored] = await documentOf(tx, { id })
    // Taking out other words than went in would spoil the index; then it stays until the rebuild that is due.
    if (!before || !stored || Buffer.compare(stored.frequencies, encodeFrequencies(before.frequencies)) !== 0)
      return false
    await setDocument(tx, { id, length: document.length, frequencies: encodeFrequencies(document.frequencies) })
    const of = ({ frequencies }: Document) => ({ id, frequencies })
    await this.#search.ranked.replace(tx, scope, of(before), of(document))
    return true
  }

  async documents(ids: readonly number[]): Promise<IndexTables['memory_documents'][]> {
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
    const { version, rebuild, indexed } = row
    return {
      version,
      rebuild: rebuild === null ? null : (JSON.parse(rebuild) as Rebuild),
      indexed: indexed === null ? ALL : (JSON.parse(indexed) as Marks),
    }
  }

  async setState({ version, rebuild, indexed }: IndexState): Promise<void> {
    const marks = this.#search.gathers ? JSON.stringify(indexed) : null
    await saveState(this.#rows, { one: 1, version, rebuild: rebuild && JSON.stringify(rebuild), indexed: marks })
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

const END = Number.MAX_SAFE_INTEGER
/** Where every record is indexed as it comes, none waits. */
const ALL: Marks = { topic: END, log: END, decision: END }

/** By how much an index grows with some changes. */
export class Growth {
  documents = 0
  length = 0
  /** By how much the number of documents with each term changes. */
  readonly terms = new Map<number, number>()

  add({ before, document }: Change): void {
    if (!before) this.documents += 1
    this.length += document.length - (before?.length ?? 0)
    for (const term of document.frequencies.keys()) if (!before?.frequencies.has(term)) this.#count(term, 1)
    if (before) for (const term of before.frequencies.keys()) if (!document.frequencies.has(term)) this.#count(term, -1)
  }

  #count(term: number, by: number): void {
    this.terms.set(term, (this.terms.get(term) ?? 0) + by)
  }
}
