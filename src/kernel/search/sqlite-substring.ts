// Substring search on SQLite: the grams of a row are the words of a contentless FTS5 table; short ones, those of a block of rows.
import { type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'
import { fold } from './fold.ts'
import { addGrams, gramsIn, gramsOf } from './grams.ts'
import { query, word, words } from './sqlite-statements.ts'
import type { SubstringQuery, SubstringRow, SubstringSearch, SubstringTable } from './text-search.ts'

export const sqliteSubstring: SubstringSearch = {
  create: createSubstring,
  renew: renewSubstring,
  add: addSubstring,
  clear: clearSubstring,
  settle: settleSubstring,
  find: findSubstring,
}

/** How long the pieces of a row are. Longer ones are rarer, and make the index larger. */
export const UNITS = 4
/**
 * Shorter needles are nearly always in many rows. Their pieces are kept for so many ids at once, in a third of the space: a block
 * that has the piece has a row with the needle, and its rows are read.
 */
const BLOCK = 32

async function createSubstring(db: Kysely<unknown>, { name }: SubstringTable): Promise<void> {
  // Only rows whose folded text is not the source's in small ASCII letters, which it nearly always is.
  await sql`CREATE TABLE ${sql.table(name)} (id INTEGER PRIMARY KEY, a TEXT, b TEXT)`.execute(db)
  // Only which rows hold a gram is asked, so neither positions nor sizes are kept.
  for (const words of [gramsTable(name), shortTable(name)])
    await sql`CREATE VIRTUAL TABLE ${words} USING fts5(grams, content='', columnsize=0, detail=none, tokenize='ascii')`.execute(
      db,
    )
}

/** Earlier versions kept a row for each of the source. */
async function renewSubstring(db: Kysely<unknown>, table: SubstringTable): Promise<void> {
  const { name } = table
  const old = await sql`SELECT 1 FROM pragma_table_info(${name}) WHERE name = 'scope'`.execute(db)
  if (old.rows.length === 0) return
  for (const part of ['', '_waiting', '_grams', '_short'])
    await sql`DROP TABLE IF EXISTS ${sql.table(`${name}${part}`)}`.execute(db)
  await createSubstring(db, table)
}

async function addSubstring(tx: Tx, { name }: SubstringTable, rows: readonly SubstringRow[]): Promise<void> {
  const blocks = new Map<number, Set<number>>()
  for (const { id, scope, ...texts } of rows) {
    const [a, b] = [fold(texts.a), fold(texts.b)]
    if (a !== lower(texts.a) || b !== lower(texts.b))
      await tx.run(query(`INSERT INTO ${name} (id, a, b) VALUES (?, ?, ?)`, id, a, b))
    await tx.run(
      query(`INSERT INTO ${name}_grams (rowid, grams) VALUES (?, ?)`, id, words(gramsOf(scope, [a, b], UNITS, UNITS))),
    )
    const block = Math.floor(id / BLOCK)
    const short = blocks.get(block) ?? new Set<number>()
    blocks.set(block, short)
    addGrams(short, scope, [a, b], UNITS - 1)
  }
  // A block may come in two parts. FTS5 then finds it by the words of both.
  for (const [block, short] of blocks)
    await tx.run(query(`INSERT INTO ${name}_short (rowid, grams) VALUES (?, ?)`, block, words([...short])))
}

/** As SQLite's lower() has it, which knows ASCII only. */
const lower = (text: string) => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())

const folded = (column: string, source: string) => `coalesce(t.${column}, lower(s.${source}), '')`
const isOf = ({ source }: SubstringTable) =>
  `${source.unscoped === undefined ? `s.${source.scope}` : `coalesce(s.${source.scope}, ${source.unscoped})`} = ?`

async function clearSubstring(tx: Tx, { name }: SubstringTable): Promise<void> {
  const db = tx.tables()
  await sql`DELETE FROM ${sql.table(name)}`.execute(db)
  for (const words of [`${name}_grams`, `${name}_short`])
    await sql`INSERT INTO ${sql.table(words)} (${sql.raw(words)}) VALUES ('delete-all')`.execute(db)
}

/** Every gram is looked up in every segment of the index, so that fewer of them make every search quicker. */
async function settleSubstring(tx: Tx, { name }: SubstringTable, begin?: 'always' | 'many'): Promise<boolean> {
  const grams = await settle(tx, `${name}_grams`, begin)
  const short = await settle(tx, `${name}_short`, begin)
  return grams || short
}

async function settle(tx: Tx, table: string, begin?: 'always' | 'many'): Promise<boolean> {
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

async function findSubstring(rows: Rows, table: SubstringTable, wanted: SubstringQuery): Promise<number[]> {
  const { a, b } = table.source
  const holds = `(instr(${folded('a', a)}, ?) > 0 OR instr(${folded('b', b)}, ?) > 0)`
  const found = await (wanted.needle.length < UNITS
    ? inBlocks(rows, table, wanted, holds)
    : inRows(rows, table, wanted, holds))
  return found
    .map(row => row.id)
    .sort((a, b) => b - a)
    .slice(0, wanted.limit)
}

type Found = { id: number }

async function inRows(rows: Rows, table: SubstringTable, wanted: SubstringQuery, holds: string): Promise<Found[]> {
  const { scope, needle, before = Number.MAX_SAFE_INTEGER, limit } = wanted
  const { name, source } = table
  const match = words(await rarest(rows, name, gramsIn(scope, needle, UNITS)))
  // FTS5 walks from the highest id down, and the walk ends at the limit: common needles cost no more than rare ones.
  const text = `
    SELECT s.id AS id FROM ${name}_grams g CROSS JOIN ${source.table} s ON s.id = g.rowid LEFT JOIN ${name} t ON t.id = s.id
    WHERE ${name}_grams MATCH ? AND g.rowid < ? AND ${isOf(table)} AND ${holds}
    ORDER BY g.rowid DESC LIMIT ?`
  return rows.run(query(text, match, before, scope, needle, needle, limit))
}

/** From the highest block down: few at first, since a common needle is in every other row of them. */
async function inBlocks(rows: Rows, table: SubstringTable, wanted: SubstringQuery, holds: string): Promise<Found[]> {
  const { scope, needle, before = Number.MAX_SAFE_INTEGER, limit } = wanted
  const { name, source } = table
  const match = words(gramsIn(scope, needle, UNITS - 1))
  const blocksBelow = `SELECT rowid AS block FROM ${name}_short WHERE ${name}_short MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`
  const rowsOf = `
    SELECT s.id AS id FROM json_each(?) g
    CROSS JOIN ${source.table} s ON s.id BETWEEN g.value * ${BLOCK} AND g.value * ${BLOCK} + ${BLOCK - 1}
    LEFT JOIN ${name} t ON t.id = s.id
    WHERE s.id < ? AND ${isOf(table)} AND ${holds}`
  const found: { id: number }[] = []
  let below = Math.floor((before - 1) / BLOCK) + 1
  for (let count = FEW_BLOCKS; found.length < limit; count = Math.min(count * 2, MANY_BLOCKS)) {
    const blocks = await rows.run(query<{ block: number }>(blocksBelow, match, below, count))
    const list = JSON.stringify(blocks.map(({ block }) => block))
    found.push(...(await rows.run(query<{ id: number }>(rowsOf, list, before, scope, needle, needle))))
    if (blocks.length < count) break
    below = (blocks.at(-1) as { block: number }).block
  }
  return found
}

const FEW_BLOCKS = 4
const MANY_BLOCKS = 64

/**
 * Walking long lists of rows costs more than all else. Both ends of a short needle leave little to add; of a longer one those
 * are taken whose lists are the shortest. FTS5 does not say how long a list is, but the index of its pages shows on how
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

const shortTable = (name: string) => sql.table(`${name}_short`)
const gramsTable = (name: string) => sql.table(`${name}_grams`)
