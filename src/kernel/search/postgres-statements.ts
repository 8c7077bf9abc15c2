// How lists of numbers are passed to PostgreSQL: as arrays.
import { type RawBuilder, sql } from 'kysely'

export function among(column: RawBuilder<number>, numbers: readonly number[]): RawBuilder<boolean> {
  return inList(column, listOf(numbers))
}

export function inList(column: RawBuilder<number>, list: string): RawBuilder<boolean> {
  return sql<boolean>`${column} = ANY(${list}::bigint[])`
}

export const listOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

export const ints = (numbers: readonly number[]) => sql`${`{${numbers.join(',')}}`}::int[]`
