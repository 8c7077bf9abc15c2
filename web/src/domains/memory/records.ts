// A file of a project's memory: one record a line. Pure.
import type { MemoryRecord } from '#contract/memory.ts'

/** Below what the hub accepts in one request. */
const CHUNK_RECORDS = 200
const CHUNK_CHARS = 200_000

export class BadLine extends Error {
  readonly line: number
  constructor(line: number) {
    super(`line ${line}`)
    this.line = line
  }
}

/** The whole file is read before anything is sent; the hub checks each record. */
export function recordsIn(text: string): MemoryRecord[] {
  const records = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const record = parsed(line)
    if (record === undefined) throw new BadLine(at + 1)
    return [record]
  })
  if (records.length === 0) throw new BadLine(1)
  return inOrder(records)
}

function parsed(line: string): MemoryRecord | undefined {
  try {
    const record = JSON.parse(line) as { type?: unknown } | null
    return ['topic', 'log', 'decision'].includes(String(record?.type)) ? (record as MemoryRecord) : undefined
  } catch {
    // Said with its line.
    return undefined
  }
}

/** What others refer to comes first. */
export function inOrder(records: readonly MemoryRecord[]): MemoryRecord[] {
  const rank = { topic: 0, log: 1, decision: 2 }
  return [...records].sort((a, b) => rank[a.type] - rank[b.type] || (a.id ?? 0) - (b.id ?? 0))
}

export function* chunksOf(records: readonly MemoryRecord[]): Generator<MemoryRecord[]> {
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

export const topicsIn = (records: readonly MemoryRecord[]) =>
  records.map(record => (record.type === 'topic' ? record.parent_topic_id : record.topic_id))
export const supersededIn = (records: readonly MemoryRecord[]) =>
  records.map(record => (record.type === 'decision' ? record.supersedes : undefined))

export function only(
  known: Record<string, number>,
  wanted: readonly (number | null | undefined)[],
): Record<string, number> {
  return Object.fromEntries(
    wanted.flatMap(id => (id !== null && id !== undefined && known[id] !== undefined ? [[id, known[id]]] : [])),
  )
}
