// Ranked search on PostgreSQL: terms and their frequencies as arrays under GIN, and how many documents hold each term.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'
import { among, ints } from './postgres-statements.ts'
import { LEVELS, type RankedDocument, type RankedQuery, type RankedSearch } from './text-search.ts'

export const postgresRanked: RankedSearch = {
  create: createRanked,
  // It has always had this form.
  renew: async () => {},
  add: addRanked,
  replace: (tx, scope, _before, document) => addRanked(tx, scope, [document]),
  clear: clearRanked,
  count: countTerms,
  counts: countsOf,
  find: findRanked,
}

async function createRanked(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE ranked_documents (id BIGINT PRIMARY KEY, scope BIGINT NOT NULL, terms INT[] NOT NULL, frequencies REAL[] NOT NULL, length INT NOT NULL)`.execute(
    db,
  )
  await sql`CREATE TABLE ranked_terms (scope BIGINT NOT NULL, term INT NOT NULL, documents INT NOT NULL, PRIMARY KEY (scope, term))`.execute(
    db,
  )
  await sql`CREATE INDEX ranked_documents_terms ON ranked_documents USING gin (terms)`.execute(db)
  await sql`CREATE INDEX ranked_documents_scope ON ranked_documents (scope)`.execute(db)
}

async function addRanked(tx: Tx, scope: number, documents: readonly RankedDocument[]): Promise<void> {
  for (const { id, frequencies } of documents) {
    const terms = [...frequencies.keys()].map(term => scoped(scope, term))
    await sql`
      INSERT INTO ranked_documents (id, scope, terms, frequencies, length)
      VALUES (${id}, ${scope}, ${ints(terms)}, ${sql.val(`{${[...frequencies.values()].join(',')}}`)}::real[], 0)
      ON CONFLICT (id) DO UPDATE SET terms = excluded.terms, frequencies = excluded.frequencies`.execute(tx.tables())
  }
}

async function clearRanked(tx: Tx, scopes: readonly number[]): Promise<void> {
  const db = tx.tables()
  await sql`DELETE FROM ranked_documents WHERE ${among(sql`scope`, scopes)}`.execute(db)
  await sql`DELETE FROM ranked_terms WHERE ${among(sql`scope`, scopes)}`.execute(db)
}

async function countTerms(tx: Tx, scope: number, terms: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    INSERT INTO ranked_terms (scope, term, documents) 
    SELECT ${scope}::bigint, term, documents FROM unnest(${ints([...terms.keys()])}, ${ints([...terms.values()])}) counted(term, documents)
    ON CONFLICT (scope, term) DO UPDATE SET documents = ranked_terms.documents + excluded.documents`.execute(
    tx.tables(),
  )
}

async function countsOf(rows: Rows, scope: number, terms: readonly number[]): Promise<Map<number, number>> {
  const found = await sql<{ term: number; documents: number }>`
    SELECT term, documents FROM ranked_terms WHERE scope = ${scope} AND ${among(sql`term`, terms)} AND documents > 0`.execute(
    rows.tables(),
  )
  return new Map(found.rows.map(row => [row.term, row.documents]))
}

async function findRanked(rows: Rows, query: RankedQuery): Promise<number[]> {
  const terms = query.terms.map(({ term, idf }) => ({ term: scoped(query.scope, term), idf }))
  const only = query.filter ? sql`AND ${query.filter(sql`id`)}` : sql``
  const order = query.order === 'best' ? sql`score DESC, id DESC` : sql`id DESC`
  const found = await sql<{ id: number }>`
    WITH proposed AS MATERIALIZED (
      SELECT id, scope, terms, frequencies FROM ranked_documents WHERE terms && ${ints(terms.map(({ term }) => term))}
    )
    SELECT id, ${scoreOf(terms)} AS score FROM proposed
    WHERE scope = ${query.scope} ${only} ORDER BY ${order} LIMIT ${query.limit}`.execute(rows.tables())
  return found.rows.map(row => row.id)
}

function scoreOf(terms: readonly { term: number; idf: number }[]): RawBuilder<number> {
  const froms = sql.lit(`{${LEVELS.map(({ from }) => from).join(',')}}`)
  const parts = terms.map(({ term, idf }) => {
    const gives = sql.lit(`{${LEVELS.map(level => idf * level.gives).join(',')}}`)
    const level = sql`width_bucket(frequencies[array_position(terms, ${sql.lit(term)})], ${froms}::real[])`
    return sql`COALESCE((${gives}::float8[])[${level}], 0)`
  })
  return sql`(${sql.join(parts, sql` + `)})`
}

/** Every scope has numbers of its own, so that a list of postings holds one scope's documents. */
const scoped = (scope: number, term: number) => (Math.imul(term, 0x9e3779b1) ^ Math.imul(scope, 0x85ebca6b)) | 0
