// Substring search: precisely the records whose folded text contains the folded keyword, newest first.
import type { Db } from '#kernel/db/db.ts'
import { fold } from '#kernel/search/fold.ts'
import type { SubstringTable, TextSearch } from '#kernel/search/text-search.ts'
import { IndexStore, type Marks } from './index-store.ts'
import { type Decision, EVERYWHERE, type Topic } from './model.ts'
import { DECISION_TEXTS, TOPIC_TEXTS } from './schema.ts'
import { MemoryStore } from './store.ts'

export type ExactQuery = { project: number; keyword: string; before: number | undefined; limit: number }

const SCAN_PAGE = 1000
const END = Number.MAX_SAFE_INTEGER

export class ExactSearch {
  readonly #deps: { db: Db; search: TextSearch }
  readonly #store: MemoryStore

  constructor(deps: { db: Db; search: TextSearch }) {
    this.#deps = deps
    this.#store = new MemoryStore(deps.db, deps.search)
  }

  async topics(query: ExactQuery): Promise<Topic[]> {
    const marks = await this.#marks()
    if (!marks) return scan(query, before => this.#store.topicsBefore(query.project, before, SCAN_PAGE), topicTexts)
    const ids = await this.#ids(TOPIC_TEXTS, [query.project], query, await this.#waiting('topic', marks, query))
    return this.#store.topicsByIds(ids)
  }

  /** Those that hold everywhere are found from every project. */
  async decisions(query: ExactQuery): Promise<Decision[]> {
    const marks = await this.#marks()
    if (!marks)
      return scan(query, before => this.#store.decisionsBefore(query.project, before, SCAN_PAGE), decisionTexts)
    const fresh = await this.#waiting('decision', marks, query)
    return this.#store.decisionsByIds(await this.#ids(DECISION_TEXTS, [query.project, EVERYWHERE], query, fresh))
  }

  /**
   * Behind which ids records wait for the index. Undefined while it is being made again: it would miss records, and a substring search must
   * not. Asked first of all: a record that is indexed meanwhile is then found twice, and not missed.
   */
  async #marks(): Promise<Marks | undefined> {
    const state = await new IndexStore(this.#deps.db, this.#deps.search).state()
    return state?.rebuild === null ? state.indexed : undefined
  }

  /** The ids of those that wait and hold the keyword. */
  async #waiting(kind: 'topic' | 'decision', marks: Marks, query: ExactQuery): Promise<number[]> {
    if (marks[kind] === END) return []
    const needle = fold(query.keyword)
    const { project, before = END } = query
    const texts = await this.#store.textsBehind(kind, project, marks[kind])
    const holding = texts.filter(
      ({ id, a, b }) => id < before && (fold(a).includes(needle) || fold(b).includes(needle)),
    )
    return holding.map(({ id }) => id)
  }

  /** Mostly nothing does, and looking for it would cost as much as looking in the project. */
  async #holdsSomethingEverywhere(): Promise<boolean> {
    const { documents } = await new IndexStore(this.#deps.db, this.#deps.search).corpus(EVERYWHERE)
    return documents > 0
  }

  async #ids(
    table: SubstringTable,
    scopes: readonly number[],
    query: ExactQuery,
    fresh: readonly number[],
  ): Promise<number[]> {
    const needle = fold(query.keyword)
    const { before, limit } = query
    const { substring } = this.#deps.search
    const found = [...fresh]
    for (const scope of scopes) {
      if (scope === EVERYWHERE && !(await this.#holdsSomethingEverywhere())) continue
      found.push(...(await substring.find(this.#deps.db, table, { scope, needle, before, limit })))
    }
    return [...new Set(found)].sort((a, b) => b - a).slice(0, limit)
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
