import { z } from 'zod'

const Count = z.int().min(0).nullable()

/** Tokens of one run, as far as its engine reports them. */
export const Usage = z.object({
  input: Count.describe('New tokens, without those read from a cache or written to one; null: unknown'),
  cache_read: Count,
  cache_write: Count,
  output: Count.describe('With reasoning'),
  reasoning: Count.describe('Part of output'),
})

const unknown_runs = z.int().describe('Runs of which it is unknown; they are not in the sum')
// Without a limit: a sum may be larger than any of its parts.
const Sum = z.object({ sum: z.number().nullable().describe('Null: known of no run'), unknown_runs })

export const TokenSums = z.object({ input: Sum, cache_read: Sum, cache_write: Sum, output: Sum, reasoning: Sum })

export const CostSum = z.object({ usd: z.number().nullable().describe('Null: known of no run'), unknown_runs })
