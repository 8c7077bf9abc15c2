// The parameters that several memory tools share.
import { z } from 'zod'
import { KEYWORD_MAX, TEXT_MAX } from '#contract/memory.ts'

export const Id = z.int().min(1)

/** Something must be there to read. */
export function text(what: string) {
  return z
    .string()
    .max(TEXT_MAX, `at most ${TEXT_MAX} characters`)
    .regex(/\S/, 'must not be empty')
    .describe(`${what} (at most ${TEXT_MAX} characters)`)
}

export function optionalText(what: string) {
  return z.string().max(TEXT_MAX, `at most ${TEXT_MAX} characters`).nullish().describe(what)
}

export const Keyword = z
  .string()
  .min(1, 'must not be empty')
  .max(KEYWORD_MAX, `at most ${KEYWORD_MAX} characters`)
  .describe('Found wherever it occurs, as it is written: % and _ are letters. Case and width do not matter')

export function limit(most: number) {
  return z.int().min(1).optional().describe(`At most this many; ${most} unless said, and never more`)
}

export function limitOf(asked: number | undefined, most: number): number {
  return Math.min(asked ?? most, most)
}

export const startId = z.int().min(0).nullish().describe('Begin with this id; ids ascend')
export const beforeId = z.int().min(1).nullish().describe('Only ids below this one: next_before_id of the page before')

export const pageFields = { next_start_id: z.int().optional(), truncated: z.boolean().optional() }
export const searchFields = { next_before_id: z.int().optional(), truncated: z.boolean().optional() }
