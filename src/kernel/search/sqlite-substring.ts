// Substring search on SQLite: the grams of a row are the words of a contentless FTS5 table.
import { type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'
import { query, word, words } from './sqlite-statements.ts'
import type { SubstringQuery, SubstringRow, SubstringSearch } from './text-search.ts'

export const sqliteSubstring: SubstringSearch = {
  // FTS5 walks long lists page by page.
  units: 5,
  create: createSubstring,
  add: addSubstring,
  clear: clearSubstring,
  settle: settleSubstring,
  find: findSubstring,
}

async function createSubstring(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`CREATE TABLE ${sql.table(name)} (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL)`.execute(
    db,
  )
  // Only which rows hold a gram is asked, so neither positions nor sizes are kept.
  await sql`CREATE VIRTUAL TABLE ${gramsTable(name)} USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')`.execute(
    db,
  )
}

async function addSubstring(tx: Tx, name: string, { id, scope, a, b, grams }: SubstringRow): Promise<void> {
  await tx.run(query(`INSERT INTO ${name} (id, scope, a, b) VALUES (?, ?, ?, ?)`, id, scope, a, b))
  await tx.run(query(`INSERT INTO ${name}_grams (rowid, grams) VALUES (?, ?)`, id, words(grams)))
}

async function clearSubstring(tx: Tx, name: string): Promise<void> {
  const db = tx.tables()
  await sql`DELETE FROM ${sql.table(name)}`.execute(db)
  await sql`INSERT INTO ${gramsTable(name)} (${sql.raw(`${name}_grams`)}) VALUES ('delete-all')`.execute(db)
}

/** Every gram is looked up in every segment of the index, so that fewer of them make every search quicker. */
async function settleSubstring(tx: Tx, name: string, begin?: 'always' | 'many'): Promise<boolean> {
  const table = `${name}_grams`
  if (begin === 'many') {
    const segments = `SELECT count(*) AS count FROM (SELECT DISTINCT segid FROM ${table}_idx)`
    const [found] = await tx.run(query<{ count: number }>(segments))
    if ((found?.count ?? 0) <= SEGMENTS) return false
  }
  const before = await changes(tx)
  // Below zero: all segments there are, whatever their sizes.
  const pages = begin === undefined ? SETTLED_PAGES : -SETTLED_PAGES
  await tx.run(query(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages))
  // As FTS5 has it: a merge with nothing to do makes at most one change.
  return (await changes(tx)) - before > 1
}

async function changes(tx: Tx): Promise<number> {
  const [row] = await tx.run(query<{ count: number }>('SELECT total_changes() AS count'))
  return row?.count ?? 0
}

/** More than writing leaves in an index of middling size. */
const SEGMENTS = 8
const SETTLED_PAGES = 500

async function findSubstring(rows: Rows, name: string, wanted: SubstringQuery): Promise<number[]> {
  const { scope, needle, before = Number.MAX_SAFE_INTEGER, limit } = wanted
  const match = words(await rarest(rows, name, wanted.grams))
  // FTS5 walks from the highest id down, and the walk ends at the limit: common needles cost no more than rare ones.
  const text = `
    SELECT ${name}.id AS id FROM ${name}_grams CROSS JOIN ${name} ON ${name}.id = ${name}_grams.rowid
    WHERE ${name}_grams MATCH ? AND ${name}_grams.rowid < ? AND ${name}.scope = ?
      AND (instr(${name}.a, ?) > 0 OR instr(${name}.b, ?) > 0)
    ORDER BY ${name}_grams.rowid DESC LIMIT ?`
  const found = await rows.run(query<{ id: number }>(text, match, before, scope, needle, needle, limit))
  return found.map(row => row.id)
}

/**
 * Walking long lists of rows costs more than all else. Both ends of a short needle leave little to add; of a longer one those
 * are taken whose lists are the shortest. How long a list is FTS5 does not tell, but the index of its pages shows on how
 * many it lies: from the page whose first word is not behind the gram up to the next one on which any word begins.
 */
export async function rarest(rows: Rows, name: string, grams: readonly number[]): Promise<readonly number[]> {
  if (grams.length <= FEW) return grams.slice(0, ASKED)
  const counted = await rows.run(query<{ place: number }>(pagesOf(name), JSON.stringify(grams.map(word))))
  return counted.slice(0, ASKED).map(({ place }) => grams[place] as number)
}

/** Up to so many, finding out which are rare would cost more than it saves. */
const FEW = 4
/** One alone would propose too many rows that do not hold the needle, and each of them must be read. */
const ASKED = 2

/** Words of the main index begin with a 0, and the lowest bit of a page number is a flag. See "fts5_index.c" of SQLite. */
function pagesOf(name: string): string {
  const pages = `${name}_grams_idx`
  const page = (where: string) => `(SELECT pgno >> 1 FROM ${pages} WHERE segid = segments.id AND ${where} LIMIT 1)`
  const own = page('term <= gram.term ORDER BY term DESC')
  const next = page('term > gram.term ORDER BY term')
  return `
    WITH RECURSIVE
      segments(id) AS (
        SELECT min(segid) FROM ${pages}
        UNION ALL SELECT (SELECT min(segid) FROM ${pages} WHERE segid > segments.id) FROM segments WHERE id IS NOT NULL
      ),
      gram(place, term) AS (SELECT key, CAST('0' || value AS BLOB) FROM json_each(?))
    SELECT place FROM gram LEFT JOIN segments ON segments.id IS NOT NULL
    GROUP BY place ORDER BY sum(coalesce(${next} - ${own}, 1)), place`
}

const gramsTable = (name: string) => sql.table(`${name}_grams`)
