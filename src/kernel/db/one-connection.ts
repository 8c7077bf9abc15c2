// The query builder on one connection, of whatever database. Transactions are the write queue's, so the driver knows none.
import { type DatabaseConnection, type Dialect, Kysely } from 'kysely'

/** What differs from database to database. */
export type Grammar = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

export function kyselyOver(grammar: Grammar, executeQuery: DatabaseConnection['executeQuery']): Kysely<unknown> {
  const connection: DatabaseConnection = {
    executeQuery,
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('page through the rows instead of streaming them')
    },
  }
  const createDriver: Dialect['createDriver'] = () => ({
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
  })
  return new Kysely<unknown>({ dialect: { ...grammar, createDriver } })
}

async function refuse(): Promise<never> {
  throw new Error('use db.tx(), not a transaction of the query builder')
}
