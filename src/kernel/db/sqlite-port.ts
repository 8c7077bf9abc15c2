// The only file that knows the SQLite library. It has the shape of node:sqlite, so that Node's own can replace it.
// The library stores NULL or cut text in silence for values it does not understand: those are refused here.
import { backup, DatabaseSync } from '@photostructure/sqlite'

type Handle = InstanceType<typeof DatabaseSync>
type Statement = ReturnType<Handle['prepare']>

export type SqlValue = string | number | bigint | Uint8Array | null

const STATEMENTS = 500
const COPIED_PAGES = 1000
const CHANGES_SCHEMA = /^\s*(?:alter|create|drop)\b/i
/** `*` may mean other columns afterwards. A new table changes no statement that could be prepared without it. */
const CHANGES_COLUMNS = /^\s*(?:alter|drop)\b/i

type Row = Record<string, SqlValue>
type Prepared = {
  readonly statement: Statement
  readonly parameters: number
  readonly columns: readonly string[]
}

export class Sqlite {
  readonly #db: Handle
  readonly #statements = new Map<string, Prepared>()

  constructor(file: string, options: { readOnly?: boolean } = {}) {
    this.#db = new DatabaseSync(file, options.readOnly ? { readOnly: true } : {})
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  all(sql: string, values: readonly unknown[] = []): Row[] {
    const { statement, columns } = this.#prepare(sql, values)
    // As arrays: the library spells out the name of every column again for every row.
    const rows = statement.all(...(values as SqlValue[])) as unknown as SqlValue[][]
    return rows.map(row => named(columns, row))
  }

  get(sql: string, values: readonly unknown[] = []): Row | undefined {
    return this.all(sql, values)[0]
  }

  run(sql: string, values: readonly unknown[] = []): { changes: bigint; lastInsertRowid: bigint } {
    const { changes, lastInsertRowid } = this.#prepare(sql, values).statement.run(...(values as SqlValue[]))
    return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) }
  }

  /** All that this connection sees when it begins, by a thread of its own. The connection is for nothing else meanwhile. */
  async copyTo(file: string): Promise<void> {
    this.exec('BEGIN')
    try {
      // Only a statement makes SQLite choose the moment.
      this.get('SELECT count(*) FROM sqlite_schema')
      await backup(this.#db, file, { rate: COPIED_PAGES })
    } finally {
      this.exec('ROLLBACK')
    }
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepare(sql: string, values: readonly unknown[]): Prepared {
    let entry = this.#statements.get(sql)
    if (!entry) {
      if (CHANGES_COLUMNS.test(sql)) this.#statements.clear()
      if (this.#statements.size >= STATEMENTS) this.#statements.delete(this.#statements.keys().next().value as string)
      const statement = this.#db.prepare(sql)
      statement.setReturnArrays(true)
      entry = { statement, parameters: countParameters(sql), columns: statement.columns().map(({ name }) => name) }
      if (!CHANGES_SCHEMA.test(sql)) this.#statements.set(sql, entry)
    }
    if (values.length !== entry.parameters)
      throw new TypeError(`statement takes ${entry.parameters} values, got ${values.length}: ${sql}`)
    for (const value of values) check(value, sql)
    return entry
  }
}

function named(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Row = {}
  for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at] as SqlValue
  return row
}

function check(value: unknown, sql: string): void {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw new TypeError(`NUL in text for: ${sql}`)
      return
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not a number for: ${sql}`)
      return
    case 'bigint':
      return
    default:
      if (value === null || value instanceof Uint8Array) return
      throw new TypeError(`cannot store ${value instanceof Date ? 'a Date' : typeof value} for: ${sql}`)
  }
}

/** Counts `?` outside of strings, quoted names and comments. Our queries use no other parameter style. */
function countParameters(sql: string): number {
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, '')
  return bare.split('?').length - 1
}

/** The library names the code of an error, but not of one that came while it read rows: then the message is all there is. */
export function sqliteCode(error: unknown): string | undefined {
  const { sqliteCodeName, code, message } = (error ?? {}) as Record<string, unknown>
  if (typeof sqliteCodeName === 'string') return sqliteCodeName
  return code === 'ERR_SQLITE_ERROR' ? CODES[String(message)] : undefined
}

/** SQLite's own words, which it has kept for twenty years. */
const CODES: Record<string, string> = {
  'database or disk is full': 'SQLITE_FULL',
  'database is locked': 'SQLITE_BUSY',
  'disk I/O error': 'SQLITE_IOERR',
  'database disk image is malformed': 'SQLITE_CORRUPT',
  'file is not a database': 'SQLITE_NOTADB',
  'out of memory': 'SQLITE_NOMEM',
}
