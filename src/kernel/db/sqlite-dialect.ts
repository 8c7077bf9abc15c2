import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Sqlite } from './sqlite-port.ts'

/** Kysely on one SQLite connection. Transactions are the write queue's business, so the driver knows none. */
export function kyselyOn(sqlite: Sqlite): Kysely<unknown> {
  const connection = new Connection(sqlite)
  const refuse = async (): Promise<never> => {
    throw new Error('use db.tx(), not a transaction of the query builder')
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
  }
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely<unknown>({ dialect })
}

class Connection implements DatabaseConnection {
  readonly #sqlite: Sqlite

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return execute(this.#sqlite, query)
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('page through the rows instead of streaming them')
  }
}

export function execute<R>(sqlite: Sqlite, query: CompiledQuery): QueryResult<R> {
  const node = query.query
  const returnsRows =
    node.kind === 'SelectQueryNode' || node.kind === 'RawNode' || ('returning' in node && node.returning !== undefined)
  if (returnsRows) return { rows: sqlite.all(query.sql, query.parameters) as R[] }
  const { changes, lastInsertRowid } = sqlite.run(query.sql, query.parameters)
  return { rows: [], numAffectedRows: changes, insertId: lastInsertRowid }
}
