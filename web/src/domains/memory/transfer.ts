// A project's memory as a file and back: one record a line, as `toryo memory export --format jsonl` writes it.
import type { MemoryRecord } from '#contract/memory.ts'
import { call, write } from '../../hub/call.ts'
import { asLines, saveFile } from '../../parts/save-file.ts'
import { chunksOf, inOrder, only, supersededIn, topicsIn } from './records.ts'

export async function exportMemory(project: string, name: string): Promise<number> {
  const records: MemoryRecord[] = []
  let cursor: string | undefined
  do {
    const { value } = await call('memory.export', { project_id: project, ...(cursor !== undefined && { cursor }) })
    records.push(...value.records)
    cursor = value.next_cursor
  } while (cursor !== undefined)
  saveFile(`${name}-memory.jsonl`, asLines(inOrder(records)))
  return records.length
}

/** Adds; changes nothing that is there. Records get numbers of their own: later chunks learn which. */
export async function importMemory(project: string, records: readonly MemoryRecord[]): Promise<void> {
  const known = { topics: {} as Record<string, number>, decisions: {} as Record<string, number> }
  for (const chunk of chunksOf(records)) {
    const needed = {
      topics: only(known.topics, topicsIn(chunk)),
      decisions: only(known.decisions, supersededIn(chunk)),
    }
    const { value } = await write('memory.import', { project_id: project, records: chunk, known: needed })
    Object.assign(known.topics, value.topics)
    Object.assign(known.decisions, value.decisions)
  }
}
