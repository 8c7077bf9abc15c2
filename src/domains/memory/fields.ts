// The parameters that several memory tools share.
import { z } from 'zod'
import { KEYWORD_MAX, TEXT_MAX } from '#contract/memory.ts'

/** Topics and decisions have numbers. */
export const Id = z.int().min(1)
export const TopicId = Id.describe('Topic id, a number')

/** Something must be there to read. */
export function text(what: string) {
  return z
    .string()
    .max(TEXT_MAX, `at most ${TEXT_MAX} characters`)
    .regex(/\S/, 'must not be empty')
    .describe(`${what} (up to ${TEXT_MAX} characters)`)
}

export function optionalText(what: string) {
  return z.string().max(TEXT_MAX, `at most ${TEXT_MAX} characters`).nullish().describe(`${what} (default: none)`)
}

export const Keyword = z
  .string()
  .min(1, 'must not be empty')
  .max(KEYWORD_MAX, `at most ${KEYWORD_MAX} characters`)
  .describe('Text to find anywhere, ignoring case and width; % and _ are literal')

export function limit(most: number) {
  return z.int().min(1).optional().describe(`1 to ${most} (default ${most})`)
}

export function limitOf(asked: number | undefined, most: number): number {
  return Math.min(asked ?? most, most)
}

/** `usual`: where a list begins without it. */
export function startId(usual: 'the first page' | 'the newest') {
  return z.int().min(0).nullish().describe(`next_start_id (default: ${usual})`)
}
export const beforeId = z.int().min(1).nullish().describe('next_before_id (default: first page)')

export const pageFields = { next_start_id: z.int().optional(), truncated: z.boolean().optional() }
export const searchFields = { next_before_id: z.int().optional(), truncated: z.boolean().optional() }
