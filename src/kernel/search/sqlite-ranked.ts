// Ranked search on SQLite: for each scope an FTS5 table of its own, and how many documents hold each word.
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'
import { among, query, word, words } from './sqlite-statements.ts'
import type { RankedDocument, RankedQuery, RankedSearch } from './text-search.ts'

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
  await createWaiting(db)
  await sql`CREATE TABLE ranked_uncounted (scope INTEGER NOT NULL, place INTEGER NOT NULL, changes BLOB NOT NULL, PRIMARY KEY (scope, place)) WITHOUT ROWID`.execute(
    db,
  )
}

/** The tables of the scopes are as they were; what waits for them is new. */
async function renewRanked(db: Kysely<unknown>): Promise<void> {
  await createWaiting(db)
}

async function createWaiting(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS ranked_waiting (scope INTEGER NOT NULL, id INTEGER NOT NULL, columns BLOB NOT NULL, PRIMARY KEY (scope, id)) WITHOUT ROWID`.execute(
    db,
  )
}

/** FTS5 takes many documents for little more than one: they wait for each other, and a search looks through those that wait. */
async function addRanked(tx: Tx, { scope, id, columns }: RankedDocument): Promise<void> {
  await tx.run(query(INSERT_WAITING, scope, id, packed(columns)))
  const [waiting] = await tx.run(query<{ count: number }>(COUNT_WAITING, scope))
  if ((waiting?.count ?? 0) < WAITING) return
  const insert = `INSERT INTO ${rankedName(scope)} (rowid, title, text, context) VALUES (?, ?, ?, ?)`
  for (const row of await tx.run(query<Waiting>(SELECT_WAITING, scope)))
    await insertRanked(tx, scope, query(insert, row.id, ...texts(unpacked(row.columns))))
  await tx.run(query(DELETE_WAITING, scope))
}

/** One table a scope: bm25() walks every posting of every term, so those of other scopes must not be in it. */
async function insertRanked(tx: Tx, scope: number, insert: CompiledQuery): Promise<void> {
  const table = rankedName(scope)
  try {
    await tx.run(insert)
  } catch (error) {
    // Asked for only then: with CREATE … IF NOT EXISTS before each record, none of its statements could be kept prepared.
    if (!isMissing(error, table)) throw error
    // The context has the most words, and FTS5 writes two bytes less for a word of its first column.
    // detail=full: without positions, a contentless table has no frequencies and bm25() is 0 for every row.
    await tx.run(query(`CREATE VIRTUAL TABLE ${table} USING fts5(context, text, title, content='', tokenize='ascii')`))
    await tx.run(insert)
  }
}

const isMissing = (error: unknown, table: string) => String(error).includes(`no such table: ${table}`)

/**
 * Taken out by its words rather than by its id: deleting by id (contentless_delete) leaves the table's totals as they were,
 * and bm25() then works with too many, too long documents.
 */
async function replaceRanked(tx: Tx, before: RankedDocument, document: RankedDocument): Promise<void> {
  const { scope, id } = before
  const [waiting] = await tx.run(query(UPDATE_WAITING, packed(document.columns), scope, id))
  if (waiting) return
  const table = rankedName(scope)
  const take = `INSERT INTO ${table} (${table}, rowid, title, text, context) VALUES ('delete', ?, ?, ?, ?)`
  await tx.run(query(take, id, ...texts(before.columns)))
  await addRanked(tx, document)
}

async function clearRanked(tx: Tx, scopes: readonly number[]): Promise<void> {
  const db = tx.tables()
  for (const scope of scopes) await sql`DROP TABLE IF EXISTS ${rankedTable(scope)}`.execute(db)
  await sql`DELETE FROM ranked_terms WHERE ${among(sql`scope`, scopes)}`.execute(db)
  await sql`DELETE FROM ranked_uncounted WHERE ${among(sql`scope`, scopes)}`.execute(db)
  await sql`DELETE FROM ranked_waiting WHERE ${among(sql`scope`, scopes)}`.execute(db)
}

/**
 * A record's words lie all over the table of counts, and each would cost a page with every record. So its changes are put
 * down in one place, and counted together with those of many others, which share most of their words.
 */
async function countTerms(tx: Tx, scope: number, terms: ReadonlyMap<number, number>): Promise<void> {
  if (terms.size > LARGE) return addCounts(tx, scope, terms)
  const [last] = await tx.run(query<{ place: number }>(LAST_UNCOUNTED, scope))
  const place = (last?.place ?? 0) + 1
  await tx.run(query(INSERT_UNCOUNTED, scope, place, encode(terms)))
  if (place < UNCOUNTED) return
  const sums = new Map<number, number>()
  for (const row of await tx.run(query<{ changes: Uint8Array }>(SELECT_UNCOUNTED, scope)))
    decode(row.changes, (term, change) => sums.set(term, (sums.get(term) ?? 0) + change))
  await addCounts(tx, scope, sums)
  await tx.run(query(DELETE_UNCOUNTED, scope))
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
  // What waits comes first: a document that is indexed between the two statements is found twice, and not missed.
  const fresh = await findWaiting(rows, wanted)
  try {
    const ids = new Set([...fresh, ...(await findIndexed(rows, wanted))])
    return wanted.order === 'best' ? [...ids] : [...ids].sort((a, b) => b - a).slice(0, wanted.limit)
  } catch (error) {
    // Nothing of this scope is indexed yet.
    if (isMissing(error, rankedName(wanted.scope))) return fresh
    throw error
  }
}

/** All that hold one of the terms: they are few, and whoever asks scores them. Newest first. */
async function findWaiting(rows: Rows, { scope, terms, filter }: RankedQuery): Promise<number[]> {
  const wanted = new Set(terms.map(({ term }) => term))
  const waiting = filter
    ? (
        await sql<Waiting>`SELECT id, columns FROM ranked_waiting WHERE scope = ${scope} AND ${filter(sql`id`)}`.execute(
          rows.tables(),
        )
      ).rows
    : await rows.run(query<Waiting>(SELECT_WAITING, scope))
  const found = waiting.filter(row => unpacked(row.columns).some(column => column.some(term => wanted.has(term))))
  return found.map(row => row.id).reverse()
}

async function findIndexed(rows: Rows, wanted: RankedQuery): Promise<number[]> {
  const table = rankedName(wanted.scope)
  const match = wanted.terms.map(({ term }) => word(term)).join(' OR ')
  const order =
    wanted.order === 'best' ? `bm25(${table}, ${wanted.weights.toReversed().join(', ')}), rowid DESC` : 'rowid DESC'
  const [before, after] = [`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH`, `ORDER BY ${order} LIMIT`]
  if (!wanted.filter) {
    const found = await rows.run(query<{ id: number }>(`${before} ? ${after} ?`, match, wanted.limit))
    return found.map(row => row.id)
  }
  const filtered = sql<{ id: number }>`
    ${sql.raw(before)} ${match} AND ${wanted.filter(sql`rowid`)} ${sql.raw(after)} ${wanted.limit}`
  return (await filtered.execute(rows.tables())).rows.map(row => row.id)
}

type Waiting = { id: number; columns: Uint8Array }

/** So many documents of a scope wait to be indexed. */
const WAITING = 32
const INSERT_WAITING = 'INSERT INTO ranked_waiting (scope, id, columns) VALUES (?, ?, ?)'
const UPDATE_WAITING = 'UPDATE ranked_waiting SET columns = ? WHERE scope = ? AND id = ? RETURNING id'
const COUNT_WAITING = 'SELECT count(*) AS count FROM ranked_waiting WHERE scope = ?'
const SELECT_WAITING = 'SELECT id, columns FROM ranked_waiting WHERE scope = ? ORDER BY id'
const DELETE_WAITING = 'DELETE FROM ranked_waiting WHERE scope = ?'

/** Each column's length, then its terms. */
function packed(columns: RankedDocument['columns']): Uint8Array {
  const numbers = columns.flatMap(column => [column.length, ...column])
  return new Uint8Array(Int32Array.from(numbers).buffer)
}

function unpacked(bytes: Uint8Array): Int32Array[] {
  // A copy: what the database gives need not begin where whole numbers do.
  const numbers = new Int32Array(bytes.slice().buffer)
  const columns: Int32Array[] = []
  for (let at = 0; at < numbers.length; at += 1 + (numbers[at] as number))
    columns.push(numbers.subarray(at + 1, at + 1 + (numbers[at] as number)))
  return columns
}

/** So many records' changes wait to be counted. More of them cost less to count, and more to look through. */
const UNCOUNTED = 128
/** A record of more words gains nothing by waiting, and whoever searches would read all of them. */
const LARGE = 256

const LAST_UNCOUNTED = 'SELECT place FROM ranked_uncounted WHERE scope = ? ORDER BY place DESC LIMIT 1'
const INSERT_UNCOUNTED = 'INSERT INTO ranked_uncounted (scope, place, changes) VALUES (?, ?, ?)'
const SELECT_UNCOUNTED = 'SELECT changes FROM ranked_uncounted WHERE scope = ?'
const DELETE_UNCOUNTED = 'DELETE FROM ranked_uncounted WHERE scope = ?'
const ADD_COUNTS = `
  INSERT INTO ranked_terms (scope, term, documents) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
  ON CONFLICT (scope, term) DO UPDATE SET documents = documents + excluded.documents`
const SELECT_COUNTS = `
  SELECT term, documents, NULL AS changes FROM ranked_terms
  WHERE scope = ? AND term IN (SELECT value FROM json_each(?))
  UNION ALL SELECT NULL, NULL, changes FROM ranked_uncounted WHERE scope = ?`

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

const rankedName = (scope: number) => `ranked_${Math.trunc(scope)}`
const rankedTable = (scope: number) => sql.table(rankedName(scope))

function texts(columns: readonly ArrayLike<number>[]): [title: string, text: string, context: string] {
  const [title = [], text = [], context = []] = columns
  return [words(title), words(text), words(context)]
}
