// Substring search on PostgreSQL: the grams of a row as an array under GIN.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'
import { ints } from './postgres-statements.ts'
import { fold } from './fold.ts'
import { gramsIn, gramsOf } from './grams.ts'
import type { SubstringQuery, SubstringRow, SubstringSearch, SubstringTable } from './text-search.ts'

export const postgresSubstring: SubstringSearch = {
  create: createSubstring,
  // It has always had this form.
  renew: async () => {},
  add: addSubstring,
  clear: clearSubstring,
  settle: settleSubstring,
  find: findSubstring,
}

/** Up to how many units long the pieces are. Enough, since GIN skips most of a long list. */
const UNITS = 4
/** Needles in every other row are found among so many of the newest; only rarer ones ask the index. */
const NEWEST = 2000
/** GIN begins with the rarest of them on its own; more would narrow it little, and each is looked up. */
const ASKED = 6

async function createSubstring(db: Kysely<unknown>, { name }: SubstringTable): Promise<void> {
  await sql`CREATE TABLE ${sql.table(name)} (id BIGINT PRIMARY KEY, scope BIGINT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL, grams INT[] NOT NULL)`.execute(
    db,
  )
  await sql`CREATE INDEX ${sql.ref(`${name}_grams`)} ON ${sql.table(name)} USING gin (grams)`.execute(db)
  await sql`CREATE INDEX ${sql.ref(`${name}_scope`)} ON ${sql.table(name)} (scope, id)`.execute(db)
}

async function addSubstring(tx: Tx, { name }: SubstringTable, rows: readonly SubstringRow[]): Promise<void> {
  for (const { id, scope, ...texts } of rows) {
    const a = fold(texts.a)
    const b = fold(texts.b)
    const numbers = ints([...gramsOf(scope, [a, b], UNITS), ...SPANS.map(bits => spanOf(id, bits))])
    await sql`INSERT INTO ${sql.table(name)} (id, scope, a, b, grams) VALUES (${id}, ${scope}, ${a}, ${b}, ${numbers})`.execute(
      tx.tables(),
    )
  }
}

async function clearSubstring(tx: Tx, { name }: SubstringTable): Promise<void> {
  await sql`DELETE FROM ${sql.table(name)}`.execute(tx.tables())
}

/** GIN puts new rows on a list that every search reads to its end, and sorts them in only when that has grown to 4 MB. */
async function settleSubstring(tx: Tx, { name }: SubstringTable, begin?: 'always' | 'many'): Promise<boolean> {
  if (begin !== undefined) await sql`SELECT gin_clean_pending_list(${`${name}_grams`}::regclass)`.execute(tx.tables())
  return false
}

/**
 * GIN gives all rows that it proposes before the first is looked at, in no order that helps. So the newest rows are read as
 * they are; what is common there but not common enough is looked for in as many ids as it should take, and then everywhere.
 */
async function findSubstring(rows: Rows, { name }: SubstringTable, query: SubstringQuery): Promise<number[]> {
  const { limit } = query
  const newest = await amongNewest(rows, name, query)
  if (newest.length === limit) return newest
  const grams = gramsIn(query.scope, query.needle, UNITS).slice(0, ASKED)
  const spans = spansFor(newest, limit)
  if (spans) {
    const found = await proposed(
      rows,
      name,
      query,
      spans.map(span => [...grams, span]),
    )
    if (found.length === limit) return found
  }
  return proposed(rows, name, query, [grams])
}

async function amongNewest(rows: Rows, name: string, query: SubstringQuery): Promise<number[]> {
  const { scope, limit } = query
  const found = await sql<{ id: number }>`
    SELECT id FROM (
      SELECT id, a, b FROM ${sql.table(name)} WHERE scope = ${scope} ${below(query)} ORDER BY id DESC LIMIT ${NEWEST}
    ) newest
    WHERE ${holds(query)} ORDER BY id DESC LIMIT ${limit}`.execute(rows.tables())
  return found.rows.map(row => row.id)
}

/** Of rows with all numbers of one of the lists, those that hold the needle. */
async function proposed(rows: Rows, name: string, query: SubstringQuery, lists: number[][]): Promise<number[]> {
  const either = sql.join(
    lists.map(numbers => sql`grams @> ${ints(numbers)}`),
    sql` OR `,
  )
  // Materialized: otherwise the planner walks all rows from the newest down, hoping to find enough.
  const found = await sql<{ id: number }>`
    WITH proposed AS MATERIALIZED (SELECT id, scope, a, b FROM ${sql.table(name)} WHERE ${either})
    SELECT id FROM proposed WHERE scope = ${query.scope} ${below(query)} AND ${holds(query)}
    ORDER BY id DESC LIMIT ${query.limit}`.execute(rows.tables())
  return found.rows.map(row => row.id)
}

function below({ before }: SubstringQuery): RawBuilder<unknown> {
  return before === undefined ? sql`` : sql`AND id < ${before}`
}

function holds({ needle }: SubstringQuery): RawBuilder<unknown> {
  return sql`(strpos(a, ${needle}) > 0 OR strpos(b, ${needle}) > 0)`
}

/** Every row also has the numbers of the spans of ids in which it lies, 2 to the power of each of these long. */
const SPANS = [14, 17, 20] as const
/** Matches do not come evenly. */
const RESERVE = 1.5

/** The two spans from the newest match down in which there should be enough, by how far apart the newest matches are. */
function spansFor(newest: readonly number[], limit: number): number[] | undefined {
  const [first, last] = [newest[0], newest.at(-1)]
  if (first === undefined || last === undefined || first === last) return undefined
  const ids = ((first - last) / (newest.length - 1)) * limit * RESERVE
  const bits = SPANS.find(candidate => ids <= 2 ** candidate)
  // The newest match may be at the beginning of its own.
  return bits && [spanOf(first, bits), spanOf(first - 2 ** bits, bits)]
}

/** Neighbouring spans must not have neighbouring numbers, which grams have as well. */
function spanOf(id: number, bits: number): number {
  const mixed = Math.imul(Math.floor(id / 2 ** bits) ^ Math.imul(bits, 0x9e3779b1), 0x85ebca6b)
  const again = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return (again ^ (again >>> 13)) | 0
}
