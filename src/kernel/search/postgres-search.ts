// Text search on PostgreSQL: the numbers as arrays under GIN. No extension is needed and no locale matters.
import { postgresRanked } from './postgres-ranked.ts'
import { among, inList, listOf } from './postgres-statements.ts'
import { postgresSubstring } from './postgres-substring.ts'
import { tidyGin } from './postgres-tidy.ts'
import type { TextSearch } from './text-search.ts'

export const postgresSearch: TextSearch = {
  substring: postgresSubstring,
  ranked: postgresRanked,
  // Other hubs write, too, and their numbers are not committed in their order.
  gathers: false,
  among,
  inList,
  listOf,
  tidy: tidyGin,
}
