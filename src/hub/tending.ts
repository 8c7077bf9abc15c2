// What the hub looks after every few seconds. It looks on the reading connection, so that looking holds up no call, and writes only
// what is due: in batches, each a transaction of its own, between which all others get their turn.
import { RunProgressed } from '#contract/runs.ts'
import { forgetAnswers, listOldAnswers } from '#kernel/answers.ts'
import type { Database, Db, Tx } from '#kernel/db/db.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { forgetPassed, listPassed } from '#kernel/passing-events.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'

/** Each of these is some statements. */
const SETTLED_AT_ONCE = 100
/** These are one statement. */
const WRITTEN_AT_ONCE = 500
/** Twice as many as a page misses at most before it loads everything again. Fifty agents write as many in some minutes. */
const PROGRESS_KEPT = 10_000

export type TendingDeps = {
  database: Database
  clock: Pick<HubTime, 'steady'>
  bind: (db: Db) => Pick<Services, 'identity' | 'leases' | 'starts' | 'hubPresence'>
}

export class Tending {
  readonly #deps: TendingDeps
  #running: Promise<void> | undefined

  constructor(deps: TendingDeps) {
    this.#deps = deps
  }

  async tend(connectionSecrets: readonly string[]): Promise<void> {
    await this.#renew(connectionSecrets)
    // One that has much to do is not joined by another.
    this.#running ??= this.#settle().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  async #renew(connectionSecrets: readonly string[]): Promise<void> {
    const { database, bind } = this.#deps
    const due = await bind(database).identity.listRenewable(connectionSecrets)
    for (let at = 0; at < due.length; at += WRITTEN_AT_ONCE)
      await database.tx(tx => bind(tx).identity.renewAll(due.slice(at, at + WRITTEN_AT_ONCE)))
  }

  /** What fails keeps nothing behind it from being done. Throws the first error when all of it was tried. */
  async #settle(): Promise<void> {
    const errors: unknown[] = []
    for (const part of this.#parts(errors)) await part().catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }

  #parts(errors: unknown[]): (() => Promise<void>)[] {
    const { database, clock, bind } = this.#deps
    const { identity, leases, starts, hubPresence } = bind(database)
    const settled =
      <T>(find: (limit: number) => Promise<T[]>, act: (due: T[], tx: Tx) => Promise<number>) =>
      () =>
        this.#inBatches(SETTLED_AT_ONCE, find, act, errors)
    const removed =
      <Id extends string | number>(
        find: (limit: number) => Promise<Id[]>,
        forget: (ids: Id[], tx: Tx) => Promise<void>,
      ) =>
      () =>
        this.#inBatches(WRITTEN_AT_ONCE, find, (ids, tx) => forget(ids, tx).then(() => ids.length), errors)
    return [
      settled(
        limit => leases.listOverdue(limit),
        (overdue, tx) => bind(tx).leases.settleOverdue(overdue, HUB),
      ),
      settled(
        limit => starts.listUnheld(limit),
        (unheld, tx) => bind(tx).starts.settle(unheld, HUB),
      ),
      settled(
        limit => starts.listUnwanted(limit),
        (unwanted, tx) => bind(tx).starts.takeBack(unwanted, HUB),
      ),
      async () => {
        // One transaction for all its parts: a verb that opened a second one in here would wait for itself.
        if (await hubPresence.isDue()) await database.tx(tx => bind(tx).hubPresence.renew(HUB))
      },
      removed(
        limit => starts.listOld(limit),
        (ids, tx) => bind(tx).starts.forget(ids),
      ),
      removed(
        limit => identity.listOldSessions(limit),
        (ids, tx) => bind(tx).identity.forgetSessions(ids),
      ),
      removed(
        limit => identity.listOldFailures(limit),
        (claimed, tx) => bind(tx).identity.forgetFailures(claimed),
      ),
      removed(
        limit => listOldAnswers(database, clock.steady(), limit),
        (numbers, tx) => forgetAnswers(tx, numbers),
      ),
      removed(
        limit => listPassed(database, RunProgressed.type, PROGRESS_KEPT, limit),
        (numbers, tx) => forgetPassed(tx, numbers),
      ),
      () => database.search.tidy(database),
    ]
  }

  /** Until no more are due, or none of those that are could be dealt with. */
  async #inBatches<T>(
    limit: number,
    find: (limit: number) => Promise<T[]>,
    act: (due: T[], tx: Tx) => Promise<number>,
    errors: unknown[],
  ): Promise<void> {
    for (;;) {
      const due = await find(limit)
      if (due.length === 0) return
      const done = await this.#deps.database
        .tx(tx => act(due, tx))
        .catch(error => this.#oneByOne(due, act, errors, error))
      if (done === 0 || due.length < limit) return
    }
  }

  /** One of them failed, and with it the transaction of all. */
  async #oneByOne<T>(
    due: readonly T[],
    act: (due: T[], tx: Tx) => Promise<number>,
    errors: unknown[],
    error: unknown,
  ): Promise<number> {
    if (due.length === 1) throw error
    let done = 0
    for (const one of due)
      done += await this.#deps.database
        .tx(tx => act([one], tx))
        .catch((problem: unknown) => {
          errors.push(problem)
          return 0
        })
    return done
  }
}
