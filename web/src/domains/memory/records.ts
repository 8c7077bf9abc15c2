// A file of a project's memory: one record a line. Pure.
import type { MemoryRecord } from '#contract/memory.ts'

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
  return records
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
