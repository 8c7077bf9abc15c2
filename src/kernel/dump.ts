// The whole data as lines of JSON, in an order in which it can be read back, on either database.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { CoreError, HubError } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { looksSecret } from '#contract/secrets.ts'
import type { Database, Rows, Tx } from './db/db.ts'

/** A table that belongs to the user's data. Tables come after those they refer to. */
export type DumpedTable = {
  readonly name: string
  /** Unique and sortable; pages follow it. Two columns where one is not unique. */
  readonly key: readonly [string] | readonly [string, string]
  /** The column the database numbers on its own. */
  readonly serial?: string
  /** Columns that are called ids and hold what others chose; all other ids must be such as ours are. */
  readonly foreign?: readonly string[]
  /** Columns that stay out of an export without secrets, and what stands in their place. */
  readonly secrets?: Readonly<Record<string, string | null>>
}

/** `note`: what an export with secrets says of them in its first line. */
export type ExportOptions = { readonly secrets: boolean; readonly note?: string }
export type Imported = { readonly rows: number; readonly secrets: boolean }

const Header = z.object({
  format: z.literal('toryo-export'),
  version: z.literal(1),
  secrets: z.boolean().default(true),
})
const Line = z.object({ table: z.string(), row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) })
/** Rows that are read or written at once. With SQLite nothing else happens in the hub meanwhile, and a call takes several turns. */
const rowsAtOnce = ({ shared }: Database) => (shared ? 500 : 20)
/** What one read takes at most, unless a single row is larger. */
const PIECE = 256 * 1024
const SHOWN = 100

type Row = Record<string, string | number | null>
type AnyTables = Record<string, Row>

/** Pieces of whole lines, all of one moment: rows that refer to each other stay together, whatever is written meanwhile. */
export function exportLines(
  database: Database,
  tables: readonly DumpedTable[],
  options: ExportOptions = { secrets: true },
): AsyncGenerator<string> {
  const atOnce = rowsAtOnce(database)
  return database.snapshot(rows => linesOf(rows, tables, atOnce, options))
}

async function* linesOf(
  rows: Rows,
  tables: readonly DumpedTable[],
  atOnce: number,
  { secrets, note }: ExportOptions,
): AsyncGenerator<string> {
  yield line({ format: 'toryo-export', version: 1, secrets, ...(secrets && { note }) })
  for (const table of tables) {
    const hidden = secrets ? {} : table.secrets
    yield* piecesOf(rows, table, atOnce, row => line({ table: table.name, row: { ...row, ...hidden } }))
  }
}

async function* piecesOf(
  rows: Rows,
  { name, key }: DumpedTable,
  atOnce: number,
  textOf: (row: Row) => string,
): AsyncGenerator<string> {
  let last: Row | undefined
  let limit = 1
  for (;;) {
    let query = rows.tables<AnyTables>().selectFrom(name).selectAll()
    const after = last
    if (after) {
      const columns = sql.join(key.map(column => sql.ref(column)))
      const values = sql.join(key.map(column => sql.val(after[column])))
      query = query.where(sql<boolean>`(${columns}) > (${values})`)
    }
    for (const column of key) query = query.orderBy(column)
    const page = await query.limit(limit).execute()
    const piece = page.map(textOf).join('')
    if (page.length > 0) yield piece
    if (page.length < limit) return
    // Others first: a reader that is quick enough would never let them.
    await setImmediate()
    last = page.at(-1)
    limit = Math.max(1, Math.min(atOnce, Math.floor((PIECE * page.length) / piece.length)))
  }
}

/** All or nothing, and only into a database that holds no data yet. */
export async function importLines(
  database: Database,
  tables: readonly DumpedTable[],
  lines: readonly string[],
  /** Whatever else must change together with the data. */
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<Imported> {
  const header = Header.safeParse(parse(lines[0] ?? '', 1))
  if (!header.success)
    throw refused(
      'This is not a Toryo export of a version that this program knows.',
      'Toryo の書き出しファイルではないか、未知の版です。',
    )
  const rows = new Map<string, Row[]>(tables.map(table => [table.name, []]))
  const byName = new Map(tables.map(table => [table.name, table]))
  const atOnce = rowsAtOnce(database)
  for (const [index, text] of lines.entries()) {
    if (index === 0) continue
    if (index % atOnce === 0) await setImmediate()
    const parsed = Line.safeParse(parse(text, index + 1))
    const known = parsed.success ? rows.get(parsed.data.table) : undefined
    if (!known || !parsed.success)
      throw refused(
        `Line ${index + 1} is not one I understand; nothing was imported.`,
        `${index + 1} 行目を解釈できません。何も取り込んでいません。`,
      )
    const strange = strangeId(parsed.data.row, byName.get(parsed.data.table)?.foreign)
    if (strange !== undefined && looksSecret(strange))
      throw refused(
        `Line ${index + 1} has an id that looks like a credential; nothing was imported.`,
        `${index + 1} 行目の ID は認証情報のように見えます。何も取り込んでいません。`,
      )
    if (strange !== undefined) {
      const shown = JSON.stringify(strange.slice(0, SHOWN))
      throw refused(
        `Line ${index + 1} has ${shown}, which cannot be an id; nothing was imported.`,
        `${index + 1} 行目の ${shown} は ID として使えません。何も取り込んでいません。`,
      )
    }
    known.push(parsed.data.row)
  }
  await database.tx(async tx => {
    const q = tx.tables<AnyTables>()
    const insert = (name: string, some: Row[]) => q.insertInto(name).values(some).execute()
    for (const { name } of tables) {
      if (await q.selectFrom(name).select(sql`1`.as('one')).limit(1).executeTakeFirst())
        throw refused(
          'This database holds data already; import into a new one with --db.',
          'このデータベースには既にデータがあります。--db で新しいものを指定してください。',
        )
    }
    for (const { name, serial } of tables) {
      const all = rows.get(name) ?? []
      for (let from = 0; from < all.length; from += atOnce) {
        await insert(name, all.slice(from, from + atOnce)).catch(error => {
          throw misfit(database, name, error)
        })
        // Who writes waits for the end; who reads need not.
        await setImmediate()
      }
      if (serial !== undefined) await database.renumber(tx, name, serial)
    }
    await also(tx)
    tx.wroteEvents()
  })
  return { rows: lines.length - 1, secrets: header.data.secrets }
}

/** Folders and files are named after ids, here and on other machines. */
function strangeId(row: Row, foreign: readonly string[] = []): string | undefined {
  for (const [column, value] of Object.entries(row)) {
    if (!/(?:^|_)id$/.test(column) || foreign.includes(column) || typeof value !== 'string') continue
    if (!isId(value) || looksSecret(value)) return value
  }
  return undefined
}

/** The file is to blame for what the database refuses, but not for a database that is away or full. */
function misfit(database: Database, table: string, error: unknown): unknown {
  if (database.translate(error) instanceof HubError) return error
  return CoreError.INVALID_ARGUMENT(
    {
      reason: {
        en: `The rows of ${table} do not fit together; nothing was imported.`,
        ja: `${table} の行に不整合があります。何も取り込んでいません。`,
      },
    },
    error,
  )
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

function parse(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused(
      `Line ${number} is not JSON; nothing was imported.`,
      `${number} 行目が JSON ではありません。何も取り込んでいません。`,
    )
  }
}

function refused(en: string, ja: string) {
  return CoreError.INVALID_ARGUMENT({ reason: { en, ja } })
}
