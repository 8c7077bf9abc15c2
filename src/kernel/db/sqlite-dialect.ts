import {
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Grammar, kyselyOver } from './one-connection.ts'
import type { Sqlite } from './sqlite-port.ts'

const SQLITE: Grammar = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}

export function kyselyOn(sqlite: Sqlite): Kysely<unknown> {
  return kyselyOver(SQLITE, async query => execute(sqlite, query))
}

export function execute<R>(sqlite: Sqlite, query: CompiledQuery): QueryResult<R> {
  const node = query.query
  const returnsRows =
    node.kind === 'SelectQueryNode' || node.kind === 'RawNode' || ('returning' in node && node.returning !== undefined)
  if (returnsRows) return { rows: sqlite.all(query.sql, query.parameters) as R[] }
  const { changes, lastInsertRowid } = sqlite.run(query.sql, query.parameters)
  return { rows: [], numAffectedRows: changes, insertId: lastInsertRowid }
}
