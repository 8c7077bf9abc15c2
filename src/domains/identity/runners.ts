// Which Runners may start agents, and which of them reported. A Runner has a credential of its own; it is not an agent.
import { type Caller, tokenOf } from '#contract/caller.ts'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import { IdentityError, RunnerAdded, RunnerRevoked } from '#contract/identity.ts'
import { isHubRunner, type ProjectFolder } from '#contract/runner.ts'
import type { Db, Rows } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import {
  type FoldersHere,
  type FoldersWanted,
  keepFolders,
  listName,
  type Needs,
  type Unmet,
  offersTo,
  unmetBy,
  whyNotFor,
} from './abilities.ts'
import { FolderStore, InstanceStore, RunnerStore } from './instance-store.ts'
import type { Runner } from './model.ts'
import { AgentStore } from './agent-store.ts'

export type RunnersDeps = {
  db: Db
  events: EventLog
  clock: Pick<HubTime, 'now' | 'settledFor'>
  ids: Ids
  projects: { listFolders(): Promise<ProjectFolder[]> }
}

/** One that is there speaks every ten seconds. */
const SEEN_MS = 60_000
/** A hub that is not started any more leaves its Runner's name behind for so long. */
const FORGOTTEN_MS = 30 * 24 * 3600_000

/** The name under which this caller starts processes. */
export function runnerOf(by: Caller): string {
  // No Runner's name has brackets.
  return by.kind === 'runner' ? by.name : `(${by.kind})`
}

export class Runners {
  readonly #deps: RunnersDeps

  constructor(deps: RunnersDeps) {
    this.#deps = deps
  }

  /** The token is shown once and stored as its digest. A name is never given twice: a connection is known by it. */
  add(name: string, by: Caller): Promise<{ runner: Runner; token: string }> {
    return this.#deps.db.tx(async tx => {
      const store = new RunnerStore(tx)
      if (isHubRunner(name) || (await store.find(name))) throw IdentityError.RUNNER_EXISTS({ name })
      const token = this.#deps.ids.secret('rnr')
      const createdAt = this.#deps.clock.now()
      const runner = { ...unseen(name, createdAt), tokenDigest: digest(token), madeBy: tokenOf(by) }
      await store.save(runner)
      await this.#deps.events.publish(tx, RunnerAdded, { name }, by)
      return { runner, token }
    })
  }

  revoke(name: string, by: Caller): Promise<Runner> {
    return this.#deps.db.tx(async tx => {
      const store = new RunnerStore(tx)
      const runner = await store.find(name)
      if (!runner || isHubRunner(name)) throw IdentityError.RUNNER_NOT_FOUND({ name })
      if (runner.revokedAt !== null) return runner
      const revoked = { ...runner, revokedAt: this.#deps.clock.now() }
      await store.save(revoked)
      await this.#deps.events.publish(tx, RunnerRevoked, { name }, by)
      return revoked
    })
  }

  /** Those that were made with an operator's token end with it. */
  async revokeMadeBy(token: string, by: Caller): Promise<void> {
    const runners = await new RunnerStore(this.#deps.db).list()
    for (const { name, madeBy, revokedAt } of runners)
      if (madeBy === token && revokedAt === null) await this.revoke(name, by)
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

  /** Since when none has been heard of. Undefined while one is there, where none ever was, and until one had time to say that it is there. */
  async allAwaySince(): Promise<number | undefined> {
    const runners = await new RunnerStore(this.#deps.db).list()
    if (this.#deps.clock.settledFor() < SEEN_MS || runners.some(runner => this.#isPresent(runner))) return undefined
    const seen = runners.flatMap(({ seenAt, revokedAt }) => (seenAt === null || revokedAt !== null ? [] : seenAt))
    return seen.length === 0 ? undefined : Math.max(...seen)
  }

  /** When this one was heard of last; undefined while it is there, and for one that is not known. */
  async awaySince(name: string): Promise<number | undefined> {
    const runner = await new RunnerStore(this.#deps.db).find(name)
    return runner && !this.#isPresent(runner) ? (runner.seenAt ?? undefined) : undefined
  }

  async identify(token: string): Promise<Caller> {
    const runner = await new RunnerStore(this.#deps.db).findByToken(digest(token))
    if (!runner || runner.revokedAt !== null) throw IdentityError.RUNNER_REFUSED()
    return { kind: 'runner', name: runner.name }
  }

  /** Also of one that was revoked: it gets that answer once it has shown its token. */
  async digestOf(key: string): Promise<string | undefined> {
    const runners = await new RunnerStore(this.#deps.db).list()
    return runners.find(({ tokenDigest }) => tokenDigest?.startsWith(key))?.tokenDigest ?? undefined
  }

  /** On every call: a token that is revoked is worth nothing from that moment on, also on a connection that is open. */
  async admit(caller: Caller): Promise<void> {
    if (caller.kind !== 'runner' || isHubRunner(caller.name)) return
    const runner = await new RunnerStore(this.#deps.db).find(caller.name)
    if (!runner || runner.revokedAt !== null) throw IdentityError.RUNNER_REFUSED()
  }

  /** It is there, can start these, and has these folders. Answers which folders it shall look for. */
  async seen(name: string, engines: readonly string[], folders: FoldersHere | undefined): Promise<FoldersWanted> {
    return this.#deps.db.tx(async tx => {
      const store = new RunnerStore(tx)
      const now = this.#deps.clock.now()
      const known = await store.find(name)
      if (!known) await store.forgetUnseenSince(now - FORGOTTEN_MS)
      const saysFolders = folders !== undefined
      await store.save({ ...(known ?? unseen(name, now)), engines, saysFolders, seenAt: now })
      const wanted = await this.#deps.projects.listFolders()
      if (saysFolders || known?.saysFolders) await keepFolders(tx, name, wanted, folders)
      const list = listName(wanted)
      return { list, ...(folders?.list !== list && { look: wanted }) }
    })
  }

  /** Why this start is not for this caller; undefined when it may have it. */
  whyNotFor(name: string, needs: Needs, rows: Rows): Promise<string | undefined> {
    return whyNotFor(name, needs, rows, runner => this.#isPresent(runner))
  }

  /** The same for many. */
  offersTo(name: string, rows: Rows): Promise<(needs: Needs) => boolean> {
    return offersTo(name, rows, runner => this.#isPresent(runner))
  }

  /** Says of each start what is lacking; undefined when a Runner that is there can take it. */
  async unmetOf(): Promise<(needs: Needs) => Unmet | undefined> {
    const runners = await new RunnerStore(this.#deps.db).list()
    return unmetBy(
      runners.filter(runner => this.#isPresent(runner)),
      this.#deps.db,
    )
  }

  /** The projects whose folders this caller has, each with the agents whose engines it has; all for one that does not say. */
  async offered<P extends { project_id: ProjectId; working_directory: string | null; agents: AgentId[] }>(
    projects: readonly P[],
    caller: Caller,
  ): Promise<P[]> {
    const { db } = this.#deps
    const runner = caller.kind === 'runner' ? await new RunnerStore(db).find(caller.name) : undefined
    if (!runner?.saysFolders) return [...projects]
    const folders = await new FolderStore(db).list(runner.name)
    const here = projects.filter(project => folders.get(project.project_id) === project.working_directory)
    const engines = await new AgentStore(db).enginesOf(here.flatMap(({ agents }) => agents))
    const isAble = (agentId: AgentId) => runner.engines.includes(engines.get(agentId) ?? '')
    return here.map(project => ({ ...project, agents: project.agents.filter(isAble) }))
  }

  #isPresent({ seenAt, revokedAt }: Runner): boolean {
    // A clock that was put back since leaves a time ahead of it; one that is there says so again within seconds.
    return revokedAt === null && seenAt !== null && Math.abs(this.#deps.clock.now() - seenAt) < SEEN_MS
  }
}

function unseen(name: string, createdAt: number): Runner {
  return {
    name,
    tokenDigest: null,
    engines: [],
    saysFolders: false,
    createdAt,
    seenAt: null,
    revokedAt: null,
    madeBy: null,
  }
}
