// Follows a list from page to page, up to what the user asked for.
import { PAGE_MAX } from '#contract/limits.ts'

type Page<K extends string, R> = { [key in K]: R[] } & {
  next_cursor?: string | undefined
  truncated?: boolean | undefined
}

/** The wire's own object, with the rows of all the pages. `next_cursor` stays when there are more. */
export async function listAll<K extends string, R>(
  limit: number,
  key: K,
  fetchPage: (page: { limit: number; cursor?: string }) => Promise<Page<K, R>>,
): Promise<{ [key in K]: R[] } & { next_cursor?: string }> {
  const rows: R[] = []
  let cursor: string | undefined
  let whole: object = {}
  do {
    const wanted = Math.min(limit - rows.length, PAGE_MAX)
    const page: Page<K, R> = await fetchPage({ limit: wanted, ...(cursor === undefined ? {} : { cursor }) })
    rows.push(...page[key])
    cursor = page.next_cursor
    const { next_cursor: _, truncated: __, ...rest } = page
    whole = rest
  } while (cursor !== undefined && rows.length < limit)
  return { ...whole, [key]: rows, ...(cursor === undefined ? {} : { next_cursor: cursor }) } as never
}
