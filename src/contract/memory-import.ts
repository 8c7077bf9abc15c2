// How records of memory go to a hub: in order, in requests of a size that it accepts, each with the numbers that earlier records got
// there. The page uses it, too: no library, and of the schemas the types alone.
import type { MemoryRecord } from './memory.ts'

/** Below what a hub accepts in one request, whatever alphabet it is in. */
const CHUNK_RECORDS = 200
const CHUNK_CHARS = 200_000

type Numbers = Record<string, number>
type Renumbered = { topics: Numbers; decisions: Numbers }

/** Adds; changes nothing that is there. Answers the numbers that the records got, by those that they had. */
export async function importMemory(
  records: readonly MemoryRecord[],
  send: (records: MemoryRecord[], known: Renumbered) => Promise<Renumbered>,
): Promise<Renumbered> {
  const known: Renumbered = { topics: {}, decisions: {} }
  for (const chunk of chunksOf(inOrder(records))) {
    const needed = {
      topics: only(
        known.topics,
        chunk.map(record => (record.type === 'topic' ? record.parent_topic_id : record.topic_id)),
      ),
      decisions: only(
        known.decisions,
        chunk.map(record => (record.type === 'decision' ? record.supersedes : undefined)),
      ),
    }
    const added = await send(chunk, needed)
    Object.assign(known.topics, added.topics)
    Object.assign(known.decisions, added.decisions)
  }
  return known
}

/** What others refer to comes first. */
export function inOrder(records: readonly MemoryRecord[]): MemoryRecord[] {
  const rank = { topic: 0, log: 1, decision: 2 }
  return [...records].sort((a, b) => rank[a.type] - rank[b.type] || (a.id ?? 0) - (b.id ?? 0))
}

function* chunksOf(records: readonly MemoryRecord[]): Generator<MemoryRecord[]> {
  let chunk: MemoryRecord[] = []
  let chars = 0
  for (const record of records) {
    const size = JSON.stringify(record).length
    if (chunk.length === CHUNK_RECORDS || (chunk.length > 0 && chars + size > CHUNK_CHARS)) {
      yield chunk
      chunk = []
      chars = 0
    }
    chunk.push(record)
    chars += size
  }
  if (chunk.length > 0) yield chunk
}

function only(known: Numbers, wanted: readonly (number | null | undefined)[]): Numbers {
  return Object.fromEntries(
    wanted.flatMap(id => (id !== null && id !== undefined && known[id] !== undefined ? [[id, known[id]]] : [])),
  )
}
