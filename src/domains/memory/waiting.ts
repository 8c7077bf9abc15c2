// Records that are stored and not in the indexes yet. Searches look through them as they are.
import type { Rows } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { Changes, type Records } from './changes.ts'
import { type Change, Growth, type Marks } from './index-store.ts'
import { EVERYWHERE } from './model.ts'
import { MemoryStore } from './store.ts'

/** There are more only while a rebuild runs, and then the answer says that some may be missing. */
const MOST = 1_000

/** Behind these ids, in the order of their own; of one project, of none (null), or of all. */
export async function recordsBehind(
  rows: Rows,
  search: TextSearch,
  marks: Marks,
  most: number,
  project?: number | null,
): Promise<Records> {
  const store = new MemoryStore(rows, search)
  const isOwned = project !== null
  return {
    topics: isOwned ? await store.topicsFrom(marks.topic + 1, most, project) : [],
    entries: isOwned ? await store.entriesFrom(marks.log + 1, most, project) : [],
    decisions: await store.decisionsFrom(marks.decision + 1, most, project),
  }
}

export type Waiting = { changes: ReadonlyMap<number, Change>; growth: Growth }

/** What a scope's index will be different by when they are in. */
export async function waitingFor(rows: Rows, search: TextSearch, marks: Marks, scope: number): Promise<Waiting> {
  const growth = new Growth()
  if (!search.gathers) return { changes: new Map(), growth }
  const records = await recordsBehind(rows, search, marks, MOST, scope === EVERYWHERE ? null : scope)
  const changes = await new Changes(rows, search).of(records)
  for (const change of changes) growth.add(change)
  return { changes: new Map(changes.map(change => [change.id, change])), growth }
}
