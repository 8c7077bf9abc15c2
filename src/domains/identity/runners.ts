// Who may start agents, and which of them were heard of. A Runner has a credential of its own; it is nobody's agent.
import type { Caller } from '#contract/caller.ts'
import { IdentityError, RunnerAdded, RunnerRevoked } from '#contract/identity.ts'
import { LOCAL_RUNNER } from '#contract/runner.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Rows } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import { InstanceStore, RunnerStore } from './instance-store.ts'
import type { Runner } from './model.ts'

export type RunnersDeps = { db: Db; events: EventLog; clock: Clock; ids: Ids }

/** One that is there speaks every ten seconds. */
const SEEN_MS = 60_000

export class Runners {
  readonly #deps: RunnersDeps

  constructor(deps: RunnersDeps) {
    this.#deps = deps
  }

  /** The token is told once and stored as its digest. A name is never given twice: a connection is known by it. */
  add(name: string, by: Caller): Promise<{ runner: Runner; token: string }> {
    return this.#deps.db.tx(async tx => {
      const store = new RunnerStore(tx)
      if (name === LOCAL_RUNNER || (await store.find(name))) throw IdentityError.RUNNER_EXISTS({ name })
      const token = this.#deps.ids.secret('rnr')
      const createdAt = this.#deps.clock.now()
      const runner = { name, tokenDigest: digest(token), engines: [], createdAt, seenAt: null, revokedAt: null }
      await store.save(runner)
      await this.#deps.events.publish(tx, RunnerAdded, { name }, by)
      return { runner, token }
    })
  }

  revoke(name: string, by: Caller): Promise<Runner> {
    return this.#deps.db.tx(async tx => {
      const store = new RunnerStore(tx)
      const runner = await store.find(name)
      if (!runner || name === LOCAL_RUNNER) throw IdentityError.RUNNER_NOT_FOUND({ name })
      if (runner.revokedAt !== null) return runner
      const revoked = { ...runner, revokedAt: this.#deps.clock.now() }
      await store.save(revoked)
      await this.#deps.events.publish(tx, RunnerRevoked, { name }, by)
      return revoked
    })
  }

  async list(): Promise<{ runner: Runner; instances: number }[]> {
    const instances = new InstanceStore(this.#deps.db)
    const runners = await new RunnerStore(this.#deps.db).list()
    return Promise.all(runners.map(async runner => ({ runner, instances: await instances.countOpen(runner.name) })))
  }

  /** Names of those that were heard of lately. */
  async present(): Promise<string[]> {
    const runners = await new RunnerStore(this.#deps.db).list()
    return runners.filter(runner => this.#isPresent(runner)).map(({ name }) => name)
  }

  async identify(token: string): Promise<Caller> {
    const runner = await new RunnerStore(this.#deps.db).findByToken(digest(token))
    if (!runner || runner.revokedAt !== null) throw IdentityError.RUNNER_REFUSED()
    return { kind: 'runner', name: runner.name }
  }

  /** Also of one that was revoked: it is told so once it has shown its token. */
  async digestOf(key: string): Promise<string | undefined> {
    const runners = await new RunnerStore(this.#deps.db).list()
    return runners.find(({ tokenDigest }) => tokenDigest?.startsWith(key))?.tokenDigest ?? undefined
  }

  /** On every call: a token that is revoked is worth nothing from that moment on, also on a connection that is open. */
  async admit(caller: Caller): Promise<void> {
    if (caller.kind !== 'runner' || caller.name === LOCAL_RUNNER) return
    const runner = await new RunnerStore(this.#deps.db).find(caller.name)
    if (!runner || runner.revokedAt !== null) throw IdentityError.RUNNER_REFUSED()
  }

  /** It is there, and can start these. */
  async seen(name: string, engines: readonly string[]): Promise<void> {
    await this.#deps.db.tx(async tx => {
      const store = new RunnerStore(tx)
      const now = this.#deps.clock.now()
      const fresh = { name, tokenDigest: null, engines: [], createdAt: now, seenAt: null, revokedAt: null }
      await store.save({ ...((await store.find(name)) ?? fresh), engines, seenAt: now })
    })
  }

  /** Whether this Runner lacks the engine and another that is there has it: then the start is for the other. */
  async isForAnother(name: string, engine: string, rows: Rows): Promise<boolean> {
    const runners = await new RunnerStore(rows).list()
    const own = runners.find(runner => runner.name === name)
    if (!own || own.engines.includes(engine)) return false
    return runners.some(other => other !== own && this.#isPresent(other) && other.engines.includes(engine))
  }

  #isPresent({ seenAt, revokedAt }: Runner): boolean {
    // A clock that was put back since leaves a time ahead of it; one that is there says so again within seconds.
    return revokedAt === null && seenAt !== null && Math.abs(this.#deps.clock.now() - seenAt) < SEEN_MS
  }
}
