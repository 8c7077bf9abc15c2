// What the inside of the hub knows of a database. Which one it is stays in sqlite.ts and postgres.ts.
import type { CompiledQuery, Kysely } from 'kysely'
import type { HubError } from '#contract/errors.ts'
import type { EventTable } from '../event-table.ts'
import type { TextSearch } from '../search/text-search.ts'

/** Read access. A store names the tables it owns: `rows.tables<ItsTables>()`. */
export interface Rows {
  tables<T>(): Kysely<T>
  /** A query that is compiled already (fixed.ts), past the layers of the query builder. */
  run<R>(query: CompiledQuery<R>): Promise<R[]>
}

/** Where verbs run. A transaction is a Db too: a verb called inside another joins its transaction. */
export interface Db extends Rows {
  tx<T>(verb: (tx: Tx) => Promise<T>): Promise<T>
}

/** Only database work may happen inside: every other verb waits for this one. */
export interface Tx extends Db {
  /** Marks that this transaction wrote events, so that readers are woken after the commit. With the row, none need be read back. */
  wroteEvents(row?: object): void
}

export interface Database extends Db {
  /** `account`: in whose lane the verb waits for its turn; without one it is in the hub's own. */
  tx<T>(verb: (tx: Tx) => Promise<T>, account?: string): Promise<T>
  /** A name for people, without credentials. */
  readonly label: string
  /** Several hubs may write to it at the same time. */
  readonly shared: boolean
  /** The wall clock that all its hubs share: the server's, or where there is one hub, its own. */
  wall(own: () => number): Promise<number>
  /** How it finds text. */
  readonly search: TextSearch
  /** How it keeps the event log. */
  readonly events: EventTable
  /** Called after a commit that wrote events, here or (shared) in another hub; with all of its rows where they are known. */
  onEvents(listener: (rows?: readonly object[]) => void): void
  /** After rows came with numbers of their own, new ones must go on behind them. */
  renumber(tx: Tx, table: string, column: string): Promise<void>
  /** Reads of one moment, however long they take and whatever is written meanwhile. */
  snapshot<T>(read: (rows: Rows) => AsyncIterable<T>): AsyncGenerator<T>
  /** Why this program may no longer write to it: the hub of a newer one, on another machine, has changed its tables. */
  outdated(): Promise<HubError | undefined>
  /** A failed read in our words. */
  translate(error: unknown): unknown
  backup(file: string): Promise<void>
  close(): Promise<void>
}
