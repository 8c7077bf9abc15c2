// What records mean for the ranked index: the document of each, made of the record and what surrounds it, and the documents that
// it changes. The same for records that are being indexed and for those that wait.
import type { Rows } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import type { Change } from './index-store.ts'
import { type Decision, documentId, type Entry, EVERYWHERE, type Topic } from './model.ts'
import { documentOf, takesContext } from './search/document.ts'
import { MemoryStore } from './store.ts'

/** Each kind in the order of its ids. */
export type Records = { topics: readonly Topic[]; entries: readonly Entry[]; decisions: readonly Decision[] }

export class Changes {
  readonly #store: MemoryStore
  readonly #topics = new Map<number, Topic>()
  /** The newest two entries of a topic, newest first. */
  readonly #talks = new Map<number, Entry[]>()

  constructor(rows: Rows, search: TextSearch) {
    this.#store = new MemoryStore(rows, search)
  }

  async of({ topics, entries, decisions }: Records): Promise<Change[]> {
    await this.#load([...entries, ...decisions])
    const changes = topics.map(ofTopic)
    changes.push(...(await this.#ofEntries(entries)))
    for (const decision of decisions) changes.push(await this.#ofDecision(decision))
    return changes
  }

  /** With both neighbours, as a rebuild finds them. */
  async again(entries: readonly Entry[]): Promise<Change[]> {
    await this.#load(entries)
    const changes: Change[] = []
    for (const entry of entries) {
      const [previous] = await this.#store.entriesBefore(entry.topicId, entry.id, 1)
      const [next] = await this.#store.entries(entry.topicId, entry.id + 1, 1)
      changes.push(this.#ofEntry(entry, [previous, next]))
    }
    return changes
  }

  /** An entry that was there before and now has a next one changes, too. */
  async #ofEntries(entries: readonly Entry[]): Promise<Change[]> {
    const changes: Change[] = []
    const topics = new Map<number, Entry[]>()
    for (const entry of entries) topics.set(entry.topicId, [...(topics.get(entry.topicId) ?? []), entry])
    for (const [topicId, own] of topics) {
      const [previous, beforePrevious] = await this.#store.entriesBefore(topicId, (own[0] as Entry).id, 2)
      if (previous && takesContext(previous.content)) {
        const { document: before } = this.#ofEntry(previous, [beforePrevious])
        changes.push({ ...this.#ofEntry(previous, [beforePrevious, own[0]]), before })
      }
      for (const [at, entry] of own.entries())
        changes.push(this.#ofEntry(entry, [at === 0 ? previous : own[at - 1], own[at + 1]]))
    }
    return changes
  }

  #ofEntry(entry: Entry, neighbours: readonly (Entry | undefined)[]): Change {
    const title = this.#topics.get(entry.topicId)?.title ?? ''
    const parts = { title, text: entry.content, neighbours: neighbours.map(one => one?.content) }
    return { id: documentId('log', entry.id), scope: entry.project, before: undefined, document: documentOf(parts) }
  }

  async #ofDecision(decision: Decision): Promise<Change> {
    const topic = decision.topicId === null ? undefined : this.#topics.get(decision.topicId)
    const talk = topic ? await this.#talkUntil(topic.id, decision.createdAt) : []
    const document = documentOf({
      title: topic?.title ?? '',
      text: `${decision.decision}\n${decision.reason}`,
      neighbours: [topic?.description ?? undefined, ...talk.map(entry => entry.content)],
    })
    const scope = decision.project ?? EVERYWHERE
    return { id: documentId('decision', decision.id), scope, before: undefined, document }
  }

  /** What had been said last by then. */
  async #talkUntil(topicId: number, at: number): Promise<Entry[]> {
    let newest = this.#talks.get(topicId)
    if (!newest) this.#talks.set(topicId, (newest = await this.#store.entriesBefore(topicId, END, 2)))
    return newest.every(entry => entry.createdAt <= at) ? newest : this.#store.entriesUntil(topicId, at, 2)
  }

  async #load(records: readonly (Entry | Decision)[]): Promise<void> {
    const ids = new Set(records.flatMap(record => record.topicId ?? []))
    const missing = [...ids].filter(id => !this.#topics.has(id))
    for (const topic of await this.#store.topicsByIds(missing)) this.#topics.set(topic.id, topic)
  }
}

const END = Number.MAX_SAFE_INTEGER

function ofTopic(topic: Topic): Change {
  const text = `${topic.title}\n${topic.description ?? ''}`
  const document = documentOf({ title: '', text, neighbours: [] })
  return { id: documentId('topic', topic.id), scope: topic.project, before: undefined, document }
}
