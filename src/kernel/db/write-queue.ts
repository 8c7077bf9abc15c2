// Runs verbs one after another on the one writing connection and commits those that wait together.
// An answer leaves only after the commit that holds its rows. Knows no SQL beyond transaction control.
import type { CompiledQuery, Kysely } from 'kysely'
import { HubError } from '#contract/errors.ts'
import type { Tx } from './db.ts'

export interface Writer {
  readonly kysely: Kysely<unknown>
  run<R>(query: CompiledQuery<R>): Promise<R[]>
  begin(): void | Promise<void>
  /** `wroteEvents` lets a shared database announce the commit to other hubs. */
  commit(wroteEvents: boolean): void | Promise<void>
  rollback(): void | Promise<void>
  exec(sql: string): void | Promise<void>
  /** The whole transaction is lost, not only the verb that saw the error. */
  isFatal(error: unknown): boolean
  /** The database's own error in our words. */
  translate(error: unknown): unknown
}

type Job = {
  verb: (tx: Tx) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type Outcome = { job: Job; error?: unknown; value?: unknown; wroteEvents: boolean }

const BATCH = 256

export class WriteQueue {
  readonly #writer: Writer
  readonly #onEvents: () => void
  #jobs: Job[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(writer: Writer, onEvents: () => void) {
    this.#writer = writer
    this.#onEvents = onEvents
  }

  run<T>(verb: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new Error('the database is closed'))
      this.#jobs.push({ verb, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that calls which arrived together are committed together.
    await new Promise<void>(resolve => setImmediate(resolve))
    while (this.#jobs.length > 0) await this.#commitTogether(this.#jobs.splice(0, BATCH))
    this.#running = undefined
  }

  async #commitTogether(jobs: Job[]): Promise<void> {
    const writer = this.#writer
    const outcomes: Outcome[] = []
    try {
      await writer.begin()
      for (const job of jobs) outcomes.push(await this.#attempt(job))
      await writer.commit(outcomes.some(outcome => outcome.wroteEvents))
    } catch (error) {
      await this.#rollback()
      const translated = writer.translate(error)
      for (const job of jobs) job.reject(translated)
      return
    }
    if (outcomes.some(outcome => outcome.wroteEvents)) this.#onEvents()
    for (const { job, error, value } of outcomes) {
      if (error === undefined) job.resolve(value)
      else job.reject(error)
    }
  }

  async #attempt(job: Job): Promise<Outcome> {
    const writer = this.#writer
    let wroteEvents = false
    const tx: Tx = {
      tables: <T>() => writer.kysely as unknown as Kysely<T>,
      run: query => writer.run(query),
      tx: verb => verb(tx),
      wroteEvents: () => {
        wroteEvents = true
      },
    }
    await writer.exec('SAVEPOINT verb')
    try {
      const value = await job.verb(tx)
      await writer.exec('RELEASE SAVEPOINT verb')
      return { job, value, wroteEvents }
    } catch (error) {
      if (writer.isFatal(error)) throw error
      const kept = error instanceof HubError && error.keepsWrites
      if (!kept) await writer.exec('ROLLBACK TO SAVEPOINT verb')
      await writer.exec('RELEASE SAVEPOINT verb')
      return { job, error: writer.translate(error), wroteEvents: kept && wroteEvents }
    }
  }

  async #rollback(): Promise<void> {
    try {
      await this.#writer.rollback()
    } catch {
      // The connection is gone or the database rolled back by itself; begin() starts from a clean state either way.
    }
  }
}
