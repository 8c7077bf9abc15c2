// How PostgreSQL is told lists of numbers: as arrays.
import { type RawBuilder, sql } from 'kysely'

export function among(column: RawBuilder<number>, numbers: readonly number[]): RawBuilder<boolean> {
  return sql<boolean>`${column} = ANY(${`{${numbers.join(',')}}`}::bigint[])`
}

export const ints = (numbers: readonly number[]) => sql`${`{${numbers.join(',')}}`}::int[]`
