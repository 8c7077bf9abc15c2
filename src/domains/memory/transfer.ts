// Memory as records that can be taken away and brought in elsewhere. Bringing in adds: nothing that is there changes.
import { z } from 'zod'
import type { Caller } from '#contract/caller.ts'
import { MemoryError, type MemoryRecord } from '#contract/memory.ts'
import { iso } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import type { Decision, Entry, Handle, Topic } from './model.ts'
import type { Memory } from './service.ts'
import { MemoryStore } from './store.ts'
import { fitting } from './views.ts'

/** Old numbers and the new ones they became. */
export type Renumbered = { topics: Record<string, number>; decisions: Record<string, number> }
export const TransferCursor = z.object({ kind: z.enum(['topic', 'log', 'decision']), from: z.int() })
export type TransferCursor = z.infer<typeof TransferCursor>

const PAGE = 200

export class Transfer {
  readonly #deps: { db: Db; search: TextSearch; memory: Memory }

  constructor(deps: { db: Db; search: TextSearch; memory: Memory }) {
    this.#deps = deps
  }

  /** A project's topics, then its entries, then its decisions, each in the order they were added. */
  async page(
    project: number,
    at: TransferCursor = { kind: 'topic', from: 1 },
  ): Promise<{ records: MemoryRecord[]; next?: TransferCursor }> {
    const store = new MemoryStore(this.#deps.db, this.#deps.search)
    const rows = await rowsFrom(store, at, project)
    const records = fitting(rows.map(recordOf))
    const last = rows[records.length - 1]
    if (last && (rows.length === PAGE || records.length < rows.length))
      return { records, next: { kind: at.kind, from: last.id + 1 } }
    const kind = at.kind === 'topic' ? 'log' : 'decision'
    return at.kind === 'decision' ? { records } : { records, next: { kind, from: 1 } }
  }

  /** All or nothing. `known` says what became of records that came in before. */
  add(handle: Handle, records: readonly MemoryRecord[], known: Renumbered, by: Caller): Promise<Renumbered> {
    return this.#deps.db.tx(async () => {
      const { memory } = this.#deps
      const project = await memory.project(handle, by)
      const added: Renumbered = { topics: {}, decisions: {} }
      const topicOf = async (old: number | null): Promise<number | null> => {
        if (old === null) return null
        const id = added.topics[old] ?? known.topics[old]
        if (id === undefined) throw MemoryError.TOPIC_NOT_FOUND({ topicId: old })
        return (await memory.topicOf(project.number, id)).id
      }
      for (const record of records) {
        const time = record.created_at === undefined ? {} : { createdAt: Date.parse(record.created_at) }
        if (record.type === 'topic') {
          const { title, description } = record
          const fresh = { title, description, parentId: await topicOf(record.parent_topic_id), ...time }
          added.topics[record.id] = (await memory.addTopic(project.number, fresh, by)).id
        } else if (record.type === 'log') {
          const topicId = (await topicOf(record.topic_id)) as number
          await memory.addEntry(topicId, record.content, by, time.createdAt)
        } else {
          const old = record.supersedes ?? null
          const supersedes = old === null ? null : (added.decisions[old] ?? known.decisions[old])
          if (supersedes === undefined) throw MemoryError.DECISION_NOT_FOUND({ decisionId: old as number })
          const { decision, reason } = record
          const topicId = await topicOf(record.topic_id)
          const fresh = { topicId, project: project.number, decision, reason, supersedes, person: null, ...time }
          added.decisions[record.id] = (await memory.addDecision(fresh, by)).id
        }
      }
      return added
    })
  }
}

function rowsFrom(store: MemoryStore, { kind, from }: TransferCursor, project: number) {
  if (kind === 'topic') return store.topicsFrom(from, PAGE, project)
  return kind === 'log' ? store.entriesFrom(from, PAGE, project) : store.decisionsFrom(from, PAGE, project)
}

function recordOf(row: Topic | Entry | Decision): MemoryRecord {
  const { id } = row
  const created_at = iso(row.createdAt)
  if ('title' in row) {
    const { title, description, parentId } = row
    return { type: 'topic', id, parent_topic_id: parentId, title, description, created_at }
  }
  if ('content' in row) return { type: 'log', id, topic_id: row.topicId, content: row.content, created_at }
  const { topicId, decision, reason, supersedes } = row
  return { type: 'decision', id, topic_id: topicId, decision, reason, supersedes, created_at }
}
