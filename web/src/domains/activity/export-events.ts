// What is filtered, as a file of lines. Read page by page; a browser keeps it in memory, so there is a limit.
import type { StoredEvent } from '#contract/events.ts'
import { EVENTS_MAX } from '#contract/limits.ts'
import { call } from '../../hub/call.ts'
import { asLines, saveFile } from '../../parts/save-file.ts'
import { type Filter, inputOf } from './queries.ts'

export const EXPORT_MAX = 50_000

export async function exportEvents(filter: Filter, progress: (count: number) => void): Promise<number> {
  const events: StoredEvent[] = []
  for (let before: number | undefined; events.length < EXPORT_MAX; before = events.at(-1)?.seq) {
    const span = { limit: EVENTS_MAX, ...(before !== undefined && { before }) }
    const { value } = await call('event.list', { ...inputOf(filter), ...span })
    events.push(...value.events)
    progress(events.length)
    if (!value.truncated) break
  }
  saveFile(`toryo-events-${new Date().toISOString().slice(0, 10)}.jsonl`, asLines(events))
  return events.length
}
