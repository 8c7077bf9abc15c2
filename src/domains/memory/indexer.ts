// Puts records into the indexes, in the transaction that adds them. Where the database would rather have many at a time, every so
// many-th record takes those before it along; searches look through the few that wait (waiting.ts).
import type { Tx } from '#kernel/db/db.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { Changes, type Records } from './changes.ts'
import { IndexStore } from './index-store.ts'
import { type Decision, type Entry, EVERYWHERE, KINDS, type Topic } from './model.ts'
import { DECISION_TEXTS, TOPIC_TEXTS } from './schema.ts'
import { recordsBehind } from './waiting.ts'

/** Every so many records of a kind. More of them cost less, and every search has more to look through. */
export const GATHERED = 32
/** As many as one write takes along; there are more only after a rebuild. */
const MOST = 4 * GATHERED

export class Indexer {
  readonly #tx: Tx
  readonly #search: TextSearch

  constructor(tx: Tx, search: TextSearch) {
    this.#tx = tx
    this.#search = search
  }

  async topic(topic: Topic): Promise<void> {
    await this.#added(topic.id, () => ({ ...NONE, topics: [topic] }))
  }

  async entry(entry: Entry): Promise<void> {
    await this.#added(entry.id, () => ({ ...NONE, entries: [entry] }))
  }

  async decision(decision: Decision): Promise<void> {
    await this.#added(decision.id, () => ({ ...NONE, decisions: [decision] }))
  }

  /** All that waits, up to so many of each kind. Answers whether something did. */
  async gather(most = MOST): Promise<boolean> {
    const index = new IndexStore(this.#tx, this.#search)
    const state = await index.state()
    // A rebuild comes to them anyway.
    if (!state || state.rebuild) return false
    const records = await recordsBehind(this.#tx, this.#search, state.indexed, most)
    const last = [records.topics.at(-1), records.entries.at(-1), records.decisions.at(-1)]
    if (last.every(record => record === undefined)) return false
    await this.add(records)
    const indexed = { ...state.indexed }
    for (const [at, kind] of KINDS.entries()) indexed[kind] = last[at]?.id ?? indexed[kind]
    await index.setState({ ...state, indexed })
    return true
  }

  async add(records: Records): Promise<void> {
    await this.#texts(records)
    const changes = await new Changes(this.#tx, this.#search).of(records)
    await new IndexStore(this.#tx, this.#search).apply(this.#tx, changes)
  }

  /** Entries whose next ones may be there already. */
  async addAgain(entries: readonly Entry[]): Promise<void> {
    const changes = await new Changes(this.#tx, this.#search).again(entries)
    await new IndexStore(this.#tx, this.#search).apply(this.#tx, changes)
  }

  async #added(id: number, records: () => Records): Promise<void> {
    if (!this.#search.gathers) await this.add(records())
    else if (id % GATHERED === 0) await this.gather()
  }

  async #texts({ topics, decisions }: Records): Promise<void> {
    const { substring } = this.#search
    const ofTopics = topics.map(({ id, project, title, description }) => ({
      ...{ id, scope: project },
      ...{ a: title, b: description ?? '' },
    }))
    const ofDecisions = decisions.map(({ id, project, decision, reason }) => ({
      ...{ id, scope: project ?? EVERYWHERE },
      ...{ a: decision, b: reason },
    }))
    if (topics.length > 0) await substring.add(this.#tx, TOPIC_TEXTS, ofTopics)
    if (decisions.length > 0) await substring.add(this.#tx, DECISION_TEXTS, ofDecisions)
  }
}

const NONE: Records = { topics: [], entries: [], decisions: [] }
