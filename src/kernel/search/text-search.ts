// How a database finds text. Everything here is numbers for pieces of text, and text already folded: what the numbers mean
// is the caller's business, and no caller knows which database answers.
import type { Kysely, RawBuilder } from 'kysely'
import type { Rows, Tx } from '../db/db.ts'

export interface TextSearch {
  readonly substring: SubstringSearch
  readonly ranked: RankedSearch
  /**
   * Records are better put in many at a time: one by one they cost several times as much. Only where one hub writes, in the
   * order of the numbers: a search also looks through those that are not in yet.
   */
  readonly gathers: boolean
  /** `column IN numbers`, as one statement whatever their count. */
  among(column: RawBuilder<number>, numbers: readonly number[]): RawBuilder<boolean>
  /** Sorts in what was written lately, where searches would otherwise read it row by row. Called now and then, outside of transactions. */
  tidy(rows: Rows): Promise<void>
  /** The same in two parts, for queries whose text is always the same: the condition, and the numbers as its one value. */
  inList(column: RawBuilder<number>, list: string): RawBuilder<boolean>
  listOf(numbers: readonly number[]): string
}

/**
 * Where the texts of a substring index are: its own name, the table and the columns that hold them as they were written, and the
 * column of their scope (`unscoped`: the scope of rows that have none).
 */
export type SubstringTable = {
  readonly name: string
  readonly source: {
    readonly table: string
    readonly a: string
    readonly b: string
    readonly scope: string
    readonly unscoped?: number
  }
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
  /** The rows of the source table must be there. */
  add(tx: Tx, table: SubstringTable, rows: readonly SubstringRow[]): Promise<void>
  clear(tx: Tx, table: SubstringTable): Promise<void>
  /**
   * Brings together what many writes have left in pieces, a little at a time; false when there is no more to do. `begin`
   * starts again, which is worth it `always`, or only where there are `many` pieces.
   */
  settle(tx: Tx, table: SubstringTable, begin?: 'always' | 'many'): Promise<boolean>
  /** Highest id first. */
  find(rows: Rows, table: SubstringTable, query: SubstringQuery): Promise<number[]>
}

/** A document's terms, each with its weighted frequency. */
export type RankedDocument = { id: number; frequencies: ReadonlyMap<number, number> }

export type RankedQuery = {
  scope: number
  terms: readonly { term: number; idf: number }[]
  /** best: by the terms that they hold; newest: by id, for terms so common that scoring all their documents is too expensive. */
  order: 'best' | 'newest'
  limit: number
  /** A condition on the document's id. */
  filter: ((id: RawBuilder<number>) => RawBuilder<boolean>) | undefined
}

/**
 * Proposes documents that hold at least one of the terms. Of a frequency only its level is looked at, so that an index needs
 * to know no more: the caller scores what is proposed.
 */
export interface RankedSearch {
  create(db: Kysely<unknown>): Promise<void>
  /** Brings what an earlier version created to the form of this one, empty; a rebuild must follow. */
  renew(db: Kysely<unknown>): Promise<void>
  add(tx: Tx, scope: number, documents: readonly RankedDocument[]): Promise<void>
  /** `before` is what was added under this id, to the letter. */
  replace(tx: Tx, scope: number, before: RankedDocument, document: RankedDocument): Promise<void>
  clear(tx: Tx, scopes: readonly number[]): Promise<void>
  /** Adds to the number of documents that hold each term. */
  count(tx: Tx, scope: number, terms: ReadonlyMap<number, number>): Promise<void>
  /** How many documents of the scope hold each of the terms; those in none are left out. */
  counts(rows: Rows, scope: number, terms: readonly number[]): Promise<Map<number, number>>
  find(rows: Rows, query: RankedQuery): Promise<number[]>
}

export const BM25 = { k1: 1.2, b: 0.75 } as const

/**
 * Levels of a weighted frequency, and what BM25 gives for each in a document of the usual length, beside a term that is there once: said
 * around the record only, said once, said more often.
 */
export const LEVELS = [
  { from: 0, gives: 0.55 },
  { from: 0.75, gives: 1 },
  { from: 1.75, gives: 1.4 },
] as const

export function levelOf(frequency: number): number {
  return LEVELS.findLastIndex(({ from }) => frequency >= from)
}
