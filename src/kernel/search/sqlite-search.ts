// Text search on SQLite: contentless FTS5 tables whose words are the numbers, so that no tokenizer has an opinion.
import { sqliteRanked } from './sqlite-ranked.ts'
import { sqliteSubstring } from './sqlite-substring.ts'
import { among, inList, listOf } from './sqlite-statements.ts'
import type { TextSearch } from './text-search.ts'

export const sqliteSearch: TextSearch = {
  substring: sqliteSubstring,
  ranked: sqliteRanked,
  gathers: true,
  among,
  inList,
  listOf,
  // FTS5 merges as it goes.
  tidy: async () => {},
}
