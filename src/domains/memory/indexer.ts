// Puts records into the indexes, in the transaction that adds them. Decides what of its surroundings belongs to a record.
import type { Tx } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { IndexStore } from './index-store.ts'
import { type Decision, documentId, type Entry, EVERYWHERE, type Topic } from './model.ts'
import { DECISION_TEXTS, TOPIC_TEXTS } from './schema.ts'
import { documentOf, takesContext } from './search/document.ts'
import { MemoryStore } from './store.ts'

export class Indexer {
  readonly #tx: Tx
  readonly #search: TextSearch
  readonly #index: IndexStore
  readonly #store: MemoryStore

  constructor(tx: Tx, search: TextSearch) {
    this.#tx = tx
    this.#search = search
    this.#index = new IndexStore(tx, search)
    this.#store = new MemoryStore(tx, search)
  }

  async topic(topic: Topic): Promise<void> {
    const { id, project, title, description } = topic
    const row = { id, scope: project, a: title, b: description ?? '' }
    await this.#search.substring.add(this.#tx, TOPIC_TEXTS, row)
    const place = { id: documentId('topic', topic.id), scope: topic.project, topicId: topic.id }
    const text = `${topic.title}\n${topic.description ?? ''}`
    await this.#index.add(this.#tx, place, documentOf({ title: '', text, neighbours: [] }))
    await this.#index.flush(this.#tx)
  }

  /** The entry before it now has a next one: its document is made again. */
  async entry(entry: Entry, topic: Topic): Promise<void> {
    const [previous, beforePrevious] = await this.#store.entriesBefore(topic.id, entry.id, 2)
    await this.#entry(entry, topic, [previous?.content])
    if (previous && takesContext(previous.content)) {
      const parts = { title: topic.title, text: previous.content }
      const before = documentOf({ ...parts, neighbours: [beforePrevious?.content] })
      const document = documentOf({ ...parts, neighbours: [beforePrevious?.content, entry.content] })
      await this.#index.replace(this.#tx, entryPlace(previous), before, document)
    }
    await this.#index.flush(this.#tx)
  }

  /** With both neighbours, as a rebuild finds them. */
  async entryAgain(entry: Entry, topic: Topic): Promise<void> {
    const [previous] = await this.#store.entriesBefore(topic.id, entry.id, 1)
    const [next] = await this.#store.entries(topic.id, entry.id + 1, 1)
    await this.#entry(entry, topic, [previous?.content, next?.content])
    await this.#index.flush(this.#tx)
  }

  async decision(decision: Decision, topic: Topic | undefined): Promise<void> {
    const scope = decision.project ?? EVERYWHERE
    const row = { id: decision.id, scope, a: decision.decision, b: decision.reason }
    await this.#search.substring.add(this.#tx, DECISION_TEXTS, row)
    const talk = topic ? await this.#store.entriesUntil(topic.id, decision.createdAt, 2) : []
    const document = documentOf({
      title: topic?.title ?? '',
      text: `${decision.decision}\n${decision.reason}`,
      neighbours: [topic?.description ?? undefined, ...talk.map(entry => entry.content)],
    })
    const place = { id: documentId('decision', decision.id), scope, topicId: decision.topicId }
    await this.#index.add(this.#tx, place, document)
    await this.#index.flush(this.#tx)
  }

  async #entry(entry: Entry, topic: Topic, neighbours: (string | undefined)[]): Promise<void> {
    const document = documentOf({ title: topic.title, text: entry.content, neighbours })
    await this.#index.add(this.#tx, entryPlace(entry), document)
  }
}

function entryPlace(entry: Entry) {
  return { id: documentId('log', entry.id), scope: entry.project, topicId: entry.topicId }
}
