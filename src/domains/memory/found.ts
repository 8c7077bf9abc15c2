// The records behind found documents, with what is shown of them.
import type { Rows } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { type Decision, documentId, type Kind, recordOf, type Topic } from './model.ts'
import { MemoryStore } from './store.ts'

export type Found = {
  kind: Kind
  id: number
  topicId: number | null
  title: string
  text: string
  createdAt: number
  supersedes: number | null
  supersededBy: number | null
  /** The decision itself, where it is one. */
  decision?: Decision
}

const TITLE = 120
const DEPTH = 50
const CHAIN = 20

export class Loader {
  readonly #store: MemoryStore

  constructor(rows: Rows, search: TextSearch) {
    this.#store = new MemoryStore(rows, search)
  }

  async load(documents: readonly number[]): Promise<Map<number, Found>> {
    const ids = (kind: Kind) => documents.map(recordOf).flatMap(record => (record.kind === kind ? record.id : []))
    const found = new Map<number, Found>()
    const put = (record: Found) => void found.set(documentId(record.kind, record.id), record)
    for (const topic of await this.#store.topicsByIds(ids('topic'))) put(ofTopic(topic))
    const entries = await this.#store.entriesByIds(ids('log'))
    const topics = await this.#store.topicsByIds([...new Set(entries.map(entry => entry.topicId))])
    const titles = new Map(topics.map(topic => [topic.id, topic.title]))
    for (const { id, topicId, content, createdAt } of entries)
      put({ ...NEVER_REPLACED, kind: 'log', id, topicId, title: titles.get(topicId) ?? '', text: content, createdAt })
    for (const decision of await this.#store.decisionsByIds(ids('decision'))) put(ofDecision(decision))
    return found
  }

  /** The decisions that replaced found ones and were not found themselves, up to those that still stand. */
  async newerOf(hits: readonly Found[]): Promise<Found[]> {
    const known = new Set(hits.flatMap(hit => (hit.kind === 'decision' ? hit.id : [])))
    const newer: Found[] = []
    let wanted = hits.flatMap(hit => hit.supersededBy ?? [])
    for (let step = 0; step < CHAIN; step += 1) {
      const missing = [...new Set(wanted)].filter(id => !known.has(id))
      if (missing.length === 0) break
      const decisions = await this.#store.decisionsByIds(missing)
      for (const decision of decisions) {
        known.add(decision.id)
        newer.push(ofDecision(decision))
      }
      wanted = decisions.flatMap(decision => decision.supersededBy ?? [])
    }
    return newer
  }

  /** For each topic its titles from the top down, as one line. */
  async paths(topicIds: readonly number[]): Promise<Map<number, string>> {
    const topics = new Map<number, Topic>()
    let wanted = [...new Set(topicIds)]
    for (let depth = 0; depth < DEPTH && wanted.length > 0; depth += 1) {
      const level = await this.#store.topicsByIds(wanted)
      for (const topic of level) topics.set(topic.id, topic)
      wanted = [...new Set(level.flatMap(topic => topic.parentId ?? []))].filter(id => !topics.has(id))
    }
    return new Map(topicIds.map(id => [id, pathOf(id, topics)]))
  }
}

const NEVER_REPLACED = { supersedes: null, supersededBy: null }

function ofTopic({ id, title, description, createdAt }: Topic): Found {
  return { ...NEVER_REPLACED, kind: 'topic', id, topicId: id, title, text: description ?? title, createdAt }
}

function ofDecision(decision: Decision): Found {
  const { id, topicId, createdAt, supersedes, supersededBy } = decision
  const title = firstLine(decision.decision)
  const text = `${decision.decision}\n${decision.reason}`
  return { kind: 'decision', id, topicId, title, text, createdAt, supersedes, supersededBy, decision }
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  if (line.length <= TITLE) return line
  const characters = Array.from(line)
  return characters.length > TITLE ? `${characters.slice(0, TITLE - 1).join('')}…` : line
}

function pathOf(id: number, topics: ReadonlyMap<number, Topic>): string {
  const titles: string[] = []
  let at: number | null = id
  while (at !== null && titles.length < DEPTH) {
    const topic: Topic | undefined = topics.get(at)
    if (!topic) break
    titles.unshift(topic.title)
    at = topic.parentId
  }
  return titles.join(' / ')
}
