// A project's memory as a file and back: one record a line, as `toryo memory export --format jsonl` writes it.
import type { MemoryRecord } from '#contract/memory.ts'
import { importMemory, inOrder } from '#contract/memory-import.ts'
import { call, write } from '../../hub/call.ts'
import { asLines, saveFile } from '../../parts/save-file.ts'

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

export async function importRecords(project: string, records: readonly MemoryRecord[]): Promise<void> {
  await importMemory(records, async (chunk, known) => {
    const { value } = await write('memory.import', { project_id: project, records: chunk, known })
    return value
  })
}
