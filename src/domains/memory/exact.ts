// Substring search: precisely the records whose folded text contains the folded keyword, newest first.
import type { Db } from '#kernel/db/db.ts'
import { fold } from '#kernel/search/fold.ts'
import type { SubstringTable, TextSearch } from '#kernel/search/text-search.ts'
import { IndexStore } from './index-store.ts'
import { type Decision, EVERYWHERE, type Topic } from './model.ts'
import { DECISION_TEXTS, TOPIC_TEXTS } from './schema.ts'
import { MemoryStore } from './store.ts'

export type ExactQuery = { project: number; keyword: string; before: number | undefined; limit: number }

const SCAN_PAGE = 1000

export class ExactSearch {
  readonly #deps: { db: Db; search: TextSearch }
  readonly #store: MemoryStore

  constructor(deps: { db: Db; search: TextSearch }) {
    this.#deps = deps
    this.#store = new MemoryStore(deps.db, deps.search)
  }

  async topics(query: ExactQuery): Promise<Topic[]> {
    if (!(await this.#isIndexed()))
      return scan(query, before => this.#store.topicsBefore(query.project, before, SCAN_PAGE), topicTexts)
    return this.#store.topicsByIds(await this.#ids(TOPIC_TEXTS, [query.project], query))
  }

  /** Those that hold everywhere are found from every project. */
  async decisions(query: ExactQuery): Promise<Decision[]> {
    if (!(await this.#isIndexed()))
      return scan(query, before => this.#store.decisionsBefore(query.project, before, SCAN_PAGE), decisionTexts)
    return this.#store.decisionsByIds(await this.#ids(DECISION_TEXTS, [query.project, EVERYWHERE], query))
  }

  /** While the index is being made again it would miss records, and a substring search must not. */
  async #isIndexed(): Promise<boolean> {
    return (await new IndexStore(this.#deps.db, this.#deps.search).state())?.rebuild === null
  }

  /** Mostly nothing does, and looking for it would cost as much as looking in the project. */
  async #holdsSomethingEverywhere(): Promise<boolean> {
    const { documents } = await new IndexStore(this.#deps.db, this.#deps.search).corpus(EVERYWHERE)
    return documents > 0
  }

  async #ids(table: SubstringTable, scopes: readonly number[], query: ExactQuery): Promise<number[]> {
    const needle = fold(query.keyword)
    const { before, limit } = query
    const { substring } = this.#deps.search
    const found: number[] = []
    for (const scope of scopes) {
      if (scope === EVERYWHERE && !(await this.#holdsSomethingEverywhere())) continue
      found.push(...(await substring.find(this.#deps.db, table, { scope, needle, before, limit })))
    }
    return found.sort((a, b) => b - a).slice(0, limit)
  }
}

const topicTexts = (topic: Topic) => [topic.title, topic.description ?? '']
const decisionTexts = (decision: Decision) => [decision.decision, decision.reason]

async function scan<R extends { id: number }>(
  query: ExactQuery,
  page: (before: number | undefined) => Promise<R[]>,
  texts: (record: R) => string[],
): Promise<R[]> {
  const needle = fold(query.keyword)
  const found: R[] = []
  let before = query.before
  for (;;) {
    const records = await page(before)
    for (const record of records) {
      if (!texts(record).some(text => fold(text).includes(needle))) continue
      found.push(record)
      if (found.length === query.limit) return found
    }
    if (records.length < SCAN_PAGE) return found
    before = records.at(-1)?.id
  }
}
