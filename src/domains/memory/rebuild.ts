// Makes the indexes again when the way they are made has changed: another analyser, another ICU, imported data. In steps, so
// that calls go on meanwhile; what is added meanwhile indexes itself. Hubs that share a database share the steps.
import type { Caller } from '#contract/caller.ts'
import { IndexRebuilt } from '#contract/memory.ts'
import type { Database, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { SubstringTable } from '#kernel/search/text-search.ts'
import { GATHERED, Indexer } from './indexer.ts'
import { IndexStore, type Rebuild } from './index-store.ts'
import { type Kind, KINDS } from './model.ts'
import { DECISION_TEXTS, TOPIC_TEXTS } from './schema.ts'
import { analyserVersion } from './search/analyser.ts'
import { MemoryStore } from './store.ts'

const STEP = 100

export type Progress = { done: number; total: number }
type Deps = { database: Database; events: EventLog; by: Caller; version?: string }

export class IndexRebuild {
  readonly #deps: Deps
  readonly #version: string
  #running: Promise<void> | undefined
  #stopped = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#version = deps.version ?? analyserVersion
  }

  /** Resolves when the indexes are whole. `fromScratch`: also when their version says so. */
  run(report: (progress: Progress) => void, fromScratch = false): Promise<void> {
    // One that runs already may have looked before the reason to begin from scratch was there.
    if (this.#running && fromScratch) return this.#running.then(() => this.run(report, fromScratch))
    this.#running ??= this.#run(report, fromScratch).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** From the commit of this transaction on the indexes are not used, until they are rebuilt. */
  begin(tx: Tx): Promise<void> {
    return this.#begin(tx, true)
  }

  async dispose(): Promise<void> {
    this.#stopped = true
    await this.#running?.catch(() => {})
  }

  async #run(report: (progress: Progress) => void, fromScratch: boolean): Promise<void> {
    const { database } = this.#deps
    const state = await new IndexStore(database, database.search).state()
    if (!fromScratch && state?.version === this.#version && state.rebuild === null) return this.#settle('many')
    if (fromScratch || state?.version !== this.#version) await database.tx(tx => this.#begin(tx, fromScratch))
    while (!this.#stopped) {
      const progress = await database.tx(tx => this.#step(tx))
      if (!progress) return this.#settle('always')
      report(progress)
    }
  }

  async #settle(begin: 'always' | 'many'): Promise<void> {
    const { database } = this.#deps
    const gather = () => database.tx(tx => new Indexer(tx, database.search).gather(STEP))
    // Records that came during a rebuild; also one whose hub ended before it had taken them in.
    const waits = begin === 'always' || (await this.#isFarBehind())
    for (let more = database.search.gathers && waits; more && !this.#stopped; ) more = await gather()
    const settle = (table: SubstringTable, from?: typeof begin) =>
      database.tx(tx => database.search.substring.settle(tx, table, from))
    for (const table of [TOPIC_TEXTS, DECISION_TEXTS])
      for (let more = await settle(table, begin); more && !this.#stopped; ) more = await settle(table)
  }

  /** By more records than writing leaves behind: searches look through a limited number of them. */
  async #isFarBehind(): Promise<boolean> {
    const { database } = this.#deps
    const state = await new IndexStore(database, database.search).state()
    const last = await new MemoryStore(database, database.search).lastIds()
    return state !== undefined && KINDS.some(kind => last[kind] - state.indexed[kind] > GATHERED)
  }

  async #begin(tx: Tx, fromScratch: boolean): Promise<void> {
    const { search } = this.#deps.database
    const index = new IndexStore(tx, search)
    // Another hub may have begun meanwhile.
    if (!fromScratch && (await index.state())?.version === this.#version) return
    await index.clear(tx)
    await search.substring.clear(tx, TOPIC_TEXTS)
    await search.substring.clear(tx, DECISION_TEXTS)
    const last = await new MemoryStore(tx, search).lastIds()
    const rebuild: Rebuild = {
      topic: [1, last.topic],
      log: [1, last.log],
      decision: [1, last.decision],
      total: last.topic + last.log + last.decision,
    }
    await index.setState({ version: this.#version, rebuild: rebuild.total > 0 ? rebuild : null, indexed: last })
  }

  async #step(tx: Tx): Promise<Progress | undefined> {
    const { search } = this.#deps.database
    const index = new IndexStore(tx, search)
    const state = await index.state()
    const rebuild = state?.rebuild
    if (!rebuild) return undefined
    const kind = KINDS.find(candidate => rebuild[candidate][0] <= rebuild[candidate][1])
    if (kind) rebuild[kind][0] = await this.#indexFrom(tx, kind, ...rebuild[kind])
    const left = KINDS.reduce((sum, one) => sum + Math.max(0, rebuild[one][1] - rebuild[one][0] + 1), 0)
    await index.setState({ ...state, version: this.#version, rebuild: left > 0 ? rebuild : null })
    if (left === 0) {
      const fact = { records: rebuild.total, version: this.#version }
      await this.#deps.events.publish(tx, IndexRebuilt, fact, this.#deps.by)
    }
    return { done: rebuild.total - left, total: rebuild.total }
  }

  /** Answers where to go on. */
  async #indexFrom(tx: Tx, kind: Kind, from: number, last: number): Promise<number> {
    const { search } = this.#deps.database
    const store = new MemoryStore(tx, search)
    const indexer = new Indexer(tx, search)
    const until = <R extends { id: number }>(records: readonly R[]) => {
      const own = records.filter(({ id }) => id <= last)
      const end = own.at(-1)
      return { own, next: end && own.length === STEP ? end.id + 1 : last + 1 }
    }
    if (kind === 'log') {
      const { own, next } = until(await store.entriesFrom(from, STEP))
      await indexer.addAgain(own)
      return next
    }
    const found = kind === 'topic' ? await store.topicsFrom(from, STEP) : []
    const decided = kind === 'decision' ? await store.decisionsFrom(from, STEP) : []
    const [topics, decisions] = [until(found), until(decided)]
    await indexer.add({ topics: topics.own, entries: [], decisions: decisions.own })
    return kind === 'topic' ? topics.next : decisions.next
  }
}
