// Runs verbs one after another on the one writing connection and commits those that wait together. Each account waits in a
// lane of its own, and lanes take turns: a client that queues thousands delays the others by its share, not by all of them.
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
/** `events`: what it wrote of them and kept; undefined when a row was not passed along. */
type Outcome = { job: Job; events: (object | undefined)[] } & ({ value: unknown } | { error: unknown; kept: boolean })

const BATCH = 256
/** The longest wait for others, in turns of the event loop. */
const TURNS = 32

export class WriteQueue {
  readonly #writer: Writer
  readonly #onEvents: (rows?: readonly object[]) => void
  /** The lanes in which verbs wait, in the order of their turns. */
  readonly #lanes = new Map<string, Job[]>()
  /** One for all verbs, since they run one after another: what is made for a transaction is made once. */
  readonly #tx: Tx
  /** What the verb that runs wrote of events. */
  #events: (object | undefined)[] = []
  #waiting = 0
  #running: Promise<void> | undefined
  #closed = false

  constructor(writer: Writer, onEvents: (rows?: readonly object[]) => void) {
    this.#writer = writer
    this.#onEvents = onEvents
    this.#tx = {
      tables: <T>() => writer.kysely as unknown as Kysely<T>,
      run: query => writer.run(query),
      tx: verb => verb(this.#tx),
      wroteEvents: row => void this.#events.push(row),
    }
  }

  run<T>(verb: (tx: Tx) => Promise<T>, lane = ''): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new Error('the database is closed'))
      const job = { verb, resolve: resolve as (value: unknown) => void, reject }
      const waiting = this.#lanes.get(lane)
      if (waiting) waiting.push(job)
      else this.#lanes.set(lane, [job])
      this.#waiting++
      this.#running ??= this.#drain()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #drain(): Promise<void> {
    await this.#gather()
    while (this.#lanes.size > 0) {
      await this.#commitTogether(this.#nextBatch())
      if (this.#lanes.size > 0) await this.#gather()
    }
    this.#running = undefined
  }

  /**
   * One turn of the event loop, and more of them while each brings another call: those that arrived together are committed together,
   * and of each connection one is taken in a turn.
   */
  async #gather(): Promise<void> {
    for (let turns = 0; turns < TURNS; turns++) {
      const before = this.#waiting
      await new Promise<void>(resolve => setImmediate(resolve))
      if (this.#waiting === before || this.#waiting >= BATCH) return
    }
  }

  #nextBatch(): Job[] {
    const batch: Job[] = []
    // A lane that goes to the end of the map is met again later in the same loop: its next turn.
    for (const [lane, waiting] of this.#lanes) {
      this.#lanes.delete(lane)
      batch.push(waiting.shift() as Job)
      this.#waiting--
      if (waiting.length > 0) this.#lanes.set(lane, waiting)
      if (batch.length === BATCH) break
    }
    return batch
  }

  async #commitTogether(jobs: Job[]): Promise<void> {
    const writer = this.#writer
    // One that is alone needs no savepoint: the transaction is its own.
    const alone = jobs.length === 1
    const outcomes: Outcome[] = []
    let events: (object | undefined)[] = []
    try {
      await writer.begin()
      for (const job of jobs) outcomes.push(await this.#attempt(job, alone))
      events = outcomes.flatMap(outcome => outcome.events)
      if (alone && outcomes.some(outcome => 'error' in outcome && !outcome.kept)) await this.#rollback()
      else await writer.commit(events.length > 0)
    } catch (error) {
      await this.#rollback()
      const translated = writer.translate(error)
      for (const job of jobs) job.reject(translated)
      return
    }
    if (events.length > 0) this.#onEvents(events.includes(undefined) ? undefined : (events as object[]))
    for (const outcome of outcomes) {
      if ('error' in outcome) outcome.job.reject(outcome.error)
      else outcome.job.resolve(outcome.value)
    }
  }

  async #attempt(job: Job, alone: boolean): Promise<Outcome> {
    const writer = this.#writer
    const events: (object | undefined)[] = []
    this.#events = events
    if (!alone) await writer.exec('SAVEPOINT verb')
    try {
      const value = await job.verb(this.#tx)
      if (!alone) await writer.exec('RELEASE SAVEPOINT verb')
      return { job, value, events }
    } catch (error) {
      if (writer.isFatal(error)) throw error
      // Some, such as a count of failures, are to stay.
      const kept = error instanceof HubError && error.keepsWrites
      if (!alone && !kept) await writer.exec('ROLLBACK TO SAVEPOINT verb')
      if (!alone) await writer.exec('RELEASE SAVEPOINT verb')
      return { job, error: writer.translate(error), kept, events: kept ? events : [] }
    }
  }

  async #rollback(): Promise<void> {
    try {
      await this.#writer.rollback()
    } catch {
      // The connection is gone or the database rolled back on its own; begin() starts from a clean state either way.
    }
  }
}
