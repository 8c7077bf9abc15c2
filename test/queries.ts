// Which statements a database in this process was given, and how it would answer them.
import pg from 'pg'
import { Sqlite } from '#kernel/db/sqlite-port.ts'

export type Query = { sql: string; parameters: readonly unknown[] }

export type Watched = Disposable & {
  /** All since the beginning, or since they were last taken. */
  take(): Query[]
}

/** Of every hub in this process, whichever its database. */
export function watchQueries(): Watched {
  let seen: Query[] = []
  const undo = [
    spy(Sqlite.prototype, 'all', (sql, parameters = []) => void seen.push({ sql, parameters })),
    spy(Sqlite.prototype, 'run', (sql, parameters = []) => void seen.push({ sql, parameters })),
    spy(Sqlite.prototype, 'exec', sql => void seen.push({ sql, parameters: [] })),
    // A pool gives the query to one of its clients.
    spy(pg.Client.prototype as unknown as Statements, 'query', (sql: unknown, parameters) => {
      if (typeof sql === 'string') seen.push({ sql, parameters: Array.isArray(parameters) ? parameters : [] })
    }),
  ]
  return {
    take: () => seen.splice(0),
    [Symbol.dispose]: () => {
      for (const restore of undo) restore()
      seen = []
    },
  }
}

type Statements = { query(sql: string, parameters?: readonly unknown[]): unknown }

function spy<K extends string>(
  target: { [key in K]: (sql: string, parameters?: readonly unknown[]) => unknown },
  name: K,
  heard: (sql: string, parameters?: readonly unknown[]) => void,
): () => void {
  const real = target[name]
  const watched = function (this: unknown, ...args: [string, (readonly unknown[])?]) {
    heard(...args)
    return real.apply(this, args)
  }
  Object.assign(target, { [name]: watched })
  return () => void Object.assign(target, { [name]: real })
}

export const selects = (queries: readonly Query[]) => queries.filter(({ sql }) => /^select/i.test(sql))
export const writes = (queries: readonly Query[]) => queries.filter(({ sql }) => /^(insert|update|delete)/i.test(sql))
export const transactions = (queries: readonly Query[]) => queries.filter(({ sql }) => /^begin/i.test(sql))

/** How the database (a file or a URL) finds the rows of each query. PostgreSQL is asked which index it could use, since tests have few rows; with `chosen`, which it takes. */
export async function plansOf(db: string, queries: readonly Query[], how?: 'chosen'): Promise<string[]> {
  return db.includes('://') ? postgresPlans(db, queries, how) : sqlitePlans(db, queries)
}

function sqlitePlans(db: string, queries: readonly Query[]): string[] {
  const file = new Sqlite(db, { readOnly: true })
  try {
    return queries.map(({ sql, parameters }) =>
      file
        .all(`EXPLAIN QUERY PLAN ${sql}`, parameters)
        .map(({ detail }) => String(detail))
        .join('\n'),
    )
  } finally {
    file.close()
  }
}

async function postgresPlans(db: string, queries: readonly Query[], how?: 'chosen'): Promise<string[]> {
  const client = new pg.Client({ connectionString: db })
  await client.connect()
  try {
    if (how === undefined) await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off')
    const plans: string[] = []
    for (const { sql, parameters } of queries) {
      const { rows } = await client.query(`EXPLAIN ${sql}`, [...parameters])
      plans.push(rows.map(row => String(row['QUERY PLAN'])).join('\n'))
    }
    return plans
  } finally {
    await client.end()
  }
}

/** A walk through a whole table, by either database's word for it. */
export const WHOLE_TABLE = /SCAN (?!CONSTANT)(?!\w+ USING (COVERING )?INDEX)|Seq Scan/

/** Past the hub. */
export async function insertRows(db: string, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  if (!db.includes('://')) {
    const file = new Sqlite(db)
    file.exec('BEGIN IMMEDIATE')
    const places = names.map(() => '?').join(', ')
    for (const row of rows)
      file.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`,
        names.map(name => row[name]),
      )
    file.exec('COMMIT')
    file.close()
    return
  }
  const client = new pg.Client({ connectionString: db })
  await client.connect()
  try {
    const text = JSON.stringify(rows)
    await client.query(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)`,
      [text],
    )
  } finally {
    await client.end()
  }
}
