// How values are passed to SQLite: statements as their own text, numbers as words of FTS5 and as lists.
import { CompiledQuery, type RawBuilder, sql } from 'kysely'

/** The text of a statement is its own here: the query builder's layers cost more than most of them. */
export function query<R>(text: string, ...parameters: unknown[]): CompiledQuery<R> {
  return CompiledQuery.raw(text, parameters)
}

/**
 * Letters and digits that FTS5 takes as they are, five bits each. Five of them: the lower bits of a number. Those that share
 * them are proposed for each other now and then, and the caller verifies what is proposed.
 */
const DIGITS = Buffer.from('0123456789abcdefghijklmnopqrstuv')
const WORD = 5

export function words(numbers: ArrayLike<number>): string {
  const bytes = Buffer.allocUnsafe(numbers.length * (WORD + 1))
  let at = 0
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] as number
    for (let shift = (WORD - 1) * 5; shift >= 0; shift -= 5) bytes[at++] = DIGITS[(number >>> shift) & 31] as number
    bytes[at++] = SPACE
  }
  return bytes.toString('latin1', 0, Math.max(0, at - 1))
}

const SPACE = 0x20
export const word = (number: number) => words([number])

export function among(column: RawBuilder<number>, numbers: readonly number[]): RawBuilder<boolean> {
  return inList(column, listOf(numbers))
}

export function inList(column: RawBuilder<number>, list: string): RawBuilder<boolean> {
  return sql<boolean>`${column} IN (SELECT value FROM json_each(${list}))`
}

export const listOf = (numbers: readonly number[]): string => JSON.stringify(numbers)
