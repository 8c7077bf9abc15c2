// Ranked search on SQLite: for each scope an FTS5 table of its own, and how many documents hold each word.
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'
import { among, query, word, words } from './sqlite-statements.ts'
import { LEVELS, levelOf, type RankedDocument, type RankedQuery, type RankedSearch } from './text-search.ts'

export const sqliteRanked: RankedSearch = {
  create: createRanked,
  renew: renewRanked,
  add: addRanked,
  replace: replaceRanked,
  clear: clearRanked,
  count: countTerms,
  counts: countsOf,
  find: findRanked,
}

async function createRanked(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE ranked_terms (scope INTEGER NOT NULL, term INTEGER NOT NULL, documents INTEGER NOT NULL, PRIMARY KEY (scope, term)) WITHOUT ROWID`.execute(
    db,
  )
  await createChanges(db)
}

async function createChanges(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE ranked_changes (scope INTEGER NOT NULL, place INTEGER NOT NULL, changes BLOB NOT NULL, PRIMARY KEY (scope, place)) WITHOUT ROWID`.execute(
    db,
  )
}

/** Earlier versions kept every place of every word, documents that waited, and changes under another name. */
async function renewRanked(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = 'ranked_uncounted' OR name = 'ranked_waiting'
      OR (name GLOB 'ranked_[0-9]*' AND sql LIKE 'CREATE VIRTUAL TABLE%'))`.execute(db)
  if (rows.length === 0) return
  for (const { name } of rows) await sql`DROP TABLE ${sql.table(name)}`.execute(db)
  await sql`DELETE FROM ranked_terms`.execute(db)
  await createChanges(db)
}

/** One table a scope: common words of other scopes must not make its lists longer. */
async function addRanked(tx: Tx, scope: number, documents: readonly RankedDocument[]): Promise<void> {
  const insert = `INSERT INTO ${rankedName(scope)} (rowid, terms) VALUES (?, ?)`
  for (const { id, frequencies } of documents)
    await insertRanked(tx, scope, query(insert, id, words(leveled(frequencies))))
}

async function insertRanked(tx: Tx, scope: number, insert: CompiledQuery): Promise<void> {
  const table = rankedName(scope)
  try {
    await tx.run(insert)
  } catch (error) {
    // Asked for only then: with CREATE … IF NOT EXISTS before each record, none of its statements could be kept prepared.
    if (!isMissing(error, table)) throw error
    // Which documents hold a word is all that is asked, so neither places nor sizes are kept.
    await tx.run(
      query(`CREATE VIRTUAL TABLE ${table} USING fts5(terms, content='', columnsize=0, detail=none, tokenize='ascii')`),
    )
    await tx.run(insert)
  }
}

const isMissing = (error: unknown, table: string) => String(error).includes(`no such table: ${table}`)

/** Only the words that go and those that come are written. */
async function replaceRanked(tx: Tx, scope: number, before: RankedDocument, document: RankedDocument): Promise<void> {
  const { id } = before
  const table = rankedName(scope)
  const old = new Set(leveled(before.frequencies))
  const fresh = new Set(leveled(document.frequencies))
  const gone = [...old].filter(term => !fresh.has(term))
  const come = [...fresh].filter(term => !old.has(term))
  const take = `INSERT INTO ${table} (${table}, rowid, terms) VALUES ('delete', ?, ?)`
  if (gone.length > 0) await tx.run(query(take, id, words(gone)))
  if (come.length > 0) await tx.run(query(`INSERT INTO ${table} (rowid, terms) VALUES (?, ?)`, id, words(come)))
}

/** A word for each term at its level. */
function leveled(frequencies: ReadonlyMap<number, number>): number[] {
  return Array.from(frequencies, ([term, frequency]) => atLevel(term, levelOf(frequency)))
}

const atLevel = (term: number, level: number) => term ^ Math.imul(level, 0x5bd1e995)

async function clearRanked(tx: Tx, scopes: readonly number[]): Promise<void> {
  const db = tx.tables()
  for (const scope of scopes) await sql`DROP TABLE IF EXISTS ${sql.table(rankedName(scope))}`.execute(db)
  await sql`DELETE FROM ranked_terms WHERE ${among(sql`scope`, scopes)}`.execute(db)
  await sql`DELETE FROM ranked_changes WHERE ${among(sql`scope`, scopes)}`.execute(db)
}

/**
 * The words of some records lie all over the table of counts, and each would cost a page. So their changes are put down in one
 * place, and counted together with those of many others, which share most of their words.
 */
async function countTerms(tx: Tx, scope: number, terms: ReadonlyMap<number, number>): Promise<void> {
  if (terms.size > LARGE) return addCounts(tx, scope, terms)
  const [last] = await tx.run(query<{ place: number }>(LAST_CHANGES, scope))
  const place = (last?.place ?? 0) + 1
  await tx.run(query(INSERT_CHANGES, scope, place, encode(terms)))
  if (place < UNCOUNTED) return
  const sums = new Map<number, number>()
  for (const row of await tx.run(query<{ changes: Uint8Array }>(SELECT_CHANGES, scope)))
    decode(row.changes, (term, change) => sums.set(term, (sums.get(term) ?? 0) + change))
  await addCounts(tx, scope, sums)
  await tx.run(query(DELETE_CHANGES, scope))
}

async function addCounts(tx: Tx, scope: number, terms: ReadonlyMap<number, number>): Promise<void> {
  // In the order of the key, so that each page is found once.
  const pairs = [...terms].filter(([, change]) => change !== 0).sort((a, b) => a[0] - b[0])
  await tx.run(query(ADD_COUNTS, scope, JSON.stringify(pairs)))
}

async function countsOf(rows: Rows, scope: number, terms: readonly number[]): Promise<Map<number, number>> {
  // One statement: between two, changes could move from one table to the other.
  type Row = { term: number; documents: number; changes: null } | { term: null; documents: null; changes: Uint8Array }
  const found = await rows.run(query<Row>(SELECT_COUNTS, scope, JSON.stringify(terms), scope))
  const counts = new Map(terms.map(term => [term, 0]))
  const add = (term: number, change: number) => {
    const count = counts.get(term)
    if (count !== undefined) counts.set(term, count + change)
  }
  for (const row of found) {
    if (row.changes === null) add(row.term, row.documents)
    else decode(row.changes, add)
  }
  return new Map([...counts].filter(([, count]) => count > 0))
}

async function findRanked(rows: Rows, wanted: RankedQuery): Promise<number[]> {
  const table = rankedName(wanted.scope)
  try {
    const found = await (wanted.order === 'best' ? findBest(rows, table, wanted) : findNewest(rows, table, wanted))
    return found.map(row => row.id)
  } catch (error) {
    // Nothing of this scope is indexed yet.
    if (isMissing(error, table)) return []
    throw error
  }
}

async function findBest(rows: Rows, table: string, { terms, filter, limit }: RankedQuery): Promise<{ id: number }[]> {
  const given: Record<string, number> = {}
  for (const { term, idf } of terms)
    for (const [level, { gives }] of LEVELS.entries()) given[word(atLevel(term, level))] = idf * gives
  const from = `SELECT f.rowid AS id FROM json_each(?) w CROSS JOIN ${table} f ON f.${table} MATCH w.key`
  const order = 'GROUP BY f.rowid ORDER BY sum(w.value) DESC, f.rowid DESC LIMIT'
  if (!filter) return rows.run(query(`${from} ${order} ?`, JSON.stringify(given), limit))
  const [before, after] = from.split('?') as [string, string]
  const filtered = sql<{ id: number }>`
    ${sql.raw(before)} ${JSON.stringify(given)} ${sql.raw(after)} WHERE ${filter(sql`f.rowid`)} ${sql.raw(order)} ${limit}`
  return (await filtered.execute(rows.tables())).rows
}

async function findNewest(rows: Rows, table: string, { terms, filter, limit }: RankedQuery): Promise<{ id: number }[]> {
  const match = terms.flatMap(({ term }) => LEVELS.map((_, level) => word(atLevel(term, level)))).join(' OR ')
  const [before, after] = [`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH`, 'ORDER BY rowid DESC LIMIT']
  if (!filter) return rows.run(query(`${before} ? ${after} ?`, match, limit))
  const filtered = sql<{ id: number }>`
    ${sql.raw(before)} ${match} AND ${filter(sql`rowid`)} ${sql.raw(after)} ${limit}`
  return (await filtered.execute(rows.tables())).rows
}

/** So many changes of a scope wait to be counted. More of them cost less to count, and more to look through. */
const UNCOUNTED = 16
/** So many words gain nothing by waiting, and every search would read all of them. */
const LARGE = 4096

const LAST_CHANGES = 'SELECT place FROM ranked_changes WHERE scope = ? ORDER BY place DESC LIMIT 1'
const INSERT_CHANGES = 'INSERT INTO ranked_changes (scope, place, changes) VALUES (?, ?, ?)'
const SELECT_CHANGES = 'SELECT changes FROM ranked_changes WHERE scope = ?'
const DELETE_CHANGES = 'DELETE FROM ranked_changes WHERE scope = ?'
const ADD_COUNTS = `
  INSERT INTO ranked_terms (scope, term, documents) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
  ON CONFLICT (scope, term) DO UPDATE SET documents = documents + excluded.documents`
const SELECT_COUNTS = `
  SELECT term, documents, NULL AS changes FROM ranked_terms
  WHERE scope = ? AND term IN (SELECT value FROM json_each(?))
  UNION ALL SELECT NULL, NULL, changes FROM ranked_changes WHERE scope = ?`

/** Each term and by how much its count changes. */
function encode(terms: ReadonlyMap<number, number>): Uint8Array {
  const changes = [...terms].filter(([, change]) => change !== 0)
  const view = new DataView(new ArrayBuffer(changes.length * 8))
  for (const [index, [term, change]] of changes.entries()) {
    view.setInt32(index * 8, term)
    view.setInt32(index * 8 + 4, change)
  }
  return new Uint8Array(view.buffer)
}

function decode(bytes: Uint8Array, take: (term: number, change: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < view.byteLength; at += 8) take(view.getInt32(at), view.getInt32(at + 4))
}

const rankedName = (scope: number) => `ranked_words_${Math.trunc(scope)}`
