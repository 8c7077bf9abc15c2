// Keeps an embedder for what is configured now, and gives vectors to records that have none, a few at a time.
import { openAiEmbedder, type EmbedderOptions } from '#domains/memory/embedder.ts'
import type { Embedder } from '#domains/memory/ports.ts'
import { embedMissing } from '#domains/memory/vectors.ts'
import type { Database } from '#kernel/db/db.ts'
import type { Log } from '#kernel/log.ts'

/** A round ends in time for the next one. */
const ROUND_MS = 9_000
const BATCH_MS = 30_000

export class Embedding {
  readonly #database: Database
  readonly #configured: () => EmbedderOptions | undefined
  readonly #log: Log
  readonly #stop = new AbortController()
  #made: { key: string; embedder: Embedder } | undefined
  #round: Promise<void> | undefined

  constructor(database: Database, configured: () => EmbedderOptions | undefined, log: Log) {
    this.#database = database
    this.#configured = configured
    this.#log = log
  }

  get current(): Embedder | undefined {
    const options = this.#configured()
    if (!options) return undefined
    const key = JSON.stringify(options)
    if (this.#made?.key !== key) this.#made = { key, embedder: openAiEmbedder(options) }
    return this.#made.embedder
  }

  tend(): void {
    const embedder = this.current
    if (!embedder || this.#stop.signal.aborted) return
    this.#round ??= this.#embed(embedder)
      .catch(error => this.#log.warn({ err: error }, 'the embedder failed; it is tried again'))
      .finally(() => {
        this.#round = undefined
      })
  }

  async dispose(): Promise<void> {
    this.#stop.abort()
    await this.#round
  }

  async #embed(embedder: Embedder): Promise<void> {
    const end = performance.now() + ROUND_MS
    while (performance.now() < end && !this.#stop.signal.aborted) {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(BATCH_MS)])
      if ((await embedMissing(this.#database, embedder, signal)) === 0) return
    }
  }
}
