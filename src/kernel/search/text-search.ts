// How a database finds text. Everything here is numbers for pieces of text, and text already folded: what the numbers mean
// is the caller's business, and which database answers is nobody's.
import type { Kysely, RawBuilder } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'

export interface TextSearch {
  readonly substring: SubstringSearch
  readonly ranked: RankedSearch
  /** `column IN numbers`, as one statement whatever their count. */
  among(column: RawBuilder<number>, numbers: readonly number[]): RawBuilder<boolean>
  /** Sorts in what was written lately, where searches would otherwise read it row by row. Called now and then, outside of transactions. */
  tidy(rows: Rows): Promise<void>
  /** The same in two parts, for queries whose text is always the same: the condition, and the numbers as its one value. */
  inList(column: RawBuilder<number>, list: string): RawBuilder<boolean>
  listOf(numbers: readonly number[]): string
}

/** Where the texts of a substring index are: its own name, and the table and columns that hold them as they were written. */
export type SubstringTable = {
  readonly name: string
  readonly source: { readonly table: string; readonly a: string; readonly b: string }
}

/** Two texts as they were written. */
export type SubstringRow = { id: number; scope: number; a: string; b: string }

export type SubstringQuery = {
  scope: number
  /** Folded. */
  needle: string
  /** Only ids below this one. */
  before: number | undefined
  limit: number
}

/** Exactly the rows whose text holds the needle: an index proposes, the text itself decides. */
export interface SubstringSearch {
  create(db: Kysely<unknown>, table: SubstringTable): Promise<void>
  /** Brings what an earlier version created to the form of this one, empty: a rebuild must follow. */
  renew(db: Kysely<unknown>, table: SubstringTable): Promise<void>
  /** The row of the source table must be there. */
  add(tx: Tx, table: SubstringTable, row: SubstringRow): Promise<void>
  clear(tx: Tx, table: SubstringTable): Promise<void>
  /**
   * Brings together what many writes have left in pieces, a little at a time; false when there is no more to do. `begin`
   * starts again, which is worth it `always`, or only where there are `many` pieces.
   */
  settle(tx: Tx, table: SubstringTable, begin?: 'always' | 'many'): Promise<boolean>
  /** Highest id first. */
  find(rows: Rows, table: SubstringTable, query: SubstringQuery): Promise<number[]>
}

/** `columns` holds each column's terms with repeats; `frequencies` sums them up by weight. */
export type RankedDocument = {
  id: number
  scope: number
  columns: readonly (readonly number[])[]
  frequencies: ReadonlyMap<number, number>
  length: number
}

export type RankedQuery = {
  scope: number
  terms: readonly { term: number; idf: number }[]
  weights: readonly number[]
  averageLength: number
  /** best: by BM25 over the terms; newest: by id, for terms so common that scoring all their documents is too dear. */
  order: 'best' | 'newest'
  limit: number
  /** A condition on the document's id. */
  filter: ((id: RawBuilder<number>) => RawBuilder<boolean>) | undefined
}

/** Proposes documents that hold at least one of the terms. */
export interface RankedSearch {
  create(db: Kysely<unknown>): Promise<void>
  /** Brings what an earlier version created to the form of this one; a rebuild must follow. */
  renew(db: Kysely<unknown>): Promise<void>
  add(tx: Tx, document: RankedDocument): Promise<void>
  /** `before` is what was added under this id, to the letter. */
  replace(tx: Tx, before: RankedDocument, document: RankedDocument): Promise<void>
  clear(tx: Tx, scopes: readonly number[]): Promise<void>
  /** Adds to the number of documents that hold each term. */
  count(tx: Tx, scope: number, terms: ReadonlyMap<number, number>): Promise<void>
  /** How many documents of the scope hold each of the terms; those in none are left out. */
  counts(rows: Rows, scope: number, terms: readonly number[]): Promise<Map<number, number>>
  find(rows: Rows, query: RankedQuery): Promise<number[]>
}

/** As FTS5 has them, so that both databases propose the same documents. */
export const BM25 = { k1: 1.2, b: 0.75 } as const
