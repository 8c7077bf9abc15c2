// Paging as every list does it: `limit`, `cursor`, and a result that never outgrows what clients accept.
import { z } from 'zod'
import { CoreError } from '#contract/errors.ts'
import { PAGE_MAX, RESULT_BYTES } from '#contract/limits.ts'

const USUAL = 50

/** `usual`: how many a page has where the caller does not say. */
export function pageInput(usual = USUAL) {
  return {
    limit: z.int().min(1).optional().describe(`1 to ${PAGE_MAX} (default ${usual})`),
    cursor: z.string().optional().describe('next_cursor (default: first page)'),
  }
}

export const pageOutput = {
  next_cursor: z.string().optional(),
  truncated: z.boolean().optional(),
}

/** A limit above the maximum is cut to it. */
export function limitOf(limit: number | undefined, usual = USUAL): number {
  return Math.min(limit ?? usual, PAGE_MAX)
}

export function readCursor<T>(cursor: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    // Whatever is wrong with it, the caller can only take a fresh one.
    throw CoreError.INVALID_ARGUMENT({
      reason: {
        en: 'cursor is not one that this list gave out; call again without it.',
        ja: 'cursor はこの一覧が発行したものではありません。cursor なしで呼び直してください。',
      },
    })
  }
}

export function writeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** `rows` holds one more than the limit when there are more; large rows end a page early. */
export function pageOf<R, V>(
  rows: readonly R[],
  limit: number,
  view: (row: R) => V,
  cursorOf: (row: R) => unknown,
  /** What the rest of the result takes up. */
  used: unknown = null,
  copies = 2,
): { items: V[]; next_cursor?: string; truncated?: boolean } {
  const items: V[] = []
  let bytes = sizeOf(used)
  let last: R | undefined
  for (const row of rows.slice(0, limit)) {
    const item = view(row)
    bytes += sizeOf(item)
    // The text repeats the structured result, so each item is sent twice or more.
    if (items.length > 0 && bytes * copies > RESULT_BYTES)
      return { items, next_cursor: writeCursor(cursorOf(last as R)), truncated: true }
    items.push(item)
    last = row
  }
  return rows.length > limit ? { items, next_cursor: writeCursor(cursorOf(last as R)) } : { items }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
