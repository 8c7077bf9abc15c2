// What Runners start: one row and one slot for each engine process, from the claim to its proven end. A pair is not started
// again before that, so that two instances never work in one folder.
import type { Caller } from '#contract/caller.ts'
import { IdentityError, InstanceEnded } from '#contract/identity.ts'
import { type Permission, USUAL_PERMISSION } from '#contract/permission.ts'
import { type EndCause, HOLD_MS, type InstanceState } from '#contract/runner.ts'
import type { Db, Rows, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { Started } from '#kernel/processes/origin.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { freeSlot, slotsTaken, takeSlots } from '#kernel/slots.ts'
import { InstanceStore } from './instance-store.ts'
import { type Agent, type Instance, isLive, isTaken, type Lease, type Loss, START_MS } from './model.ts'
import type { Needs, Unmet } from './abilities.ts'
import type { Engines, Pair, Projects, Trust } from './ports.ts'
import type { Runners } from './runners.ts'
import { AgentStore, SessionStore } from './store.ts'

export type StartsDeps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  limits: () => { runs: number; startsPerMinute: number }
  engines: Engines
  projects: Pick<Projects, 'find'>
  runners: Runners
  trust: Pick<Trust, 'isRefused'>
  /** Told when an instance whose work is not reported has ended. */
  lost(tx: Tx, lease: Lease, loss: Loss, by: Caller): Promise<void>
}

/** A pair that has work and is free. */
export type Candidate = Pair & { agent: Agent }

export type Begun = { instance: Instance; agent: Agent; projectName: string; directory: string }

export type Ended = {
  cause: EndCause
  exitCode: number | null
  signal: string | null
  message: string
  quota: { message: string; resetsAt: number | undefined } | undefined
}

const POOL = 'runs'
const WINDOW_MS = 60_000
/** Long enough to count starts, and for people who look. */
const KEPT_MS = 24 * 3600_000

export class Starts {
  readonly #deps: StartsDeps

  constructor(deps: StartsDeps) {
    this.#deps = deps
  }

  /** Why no process may be started for this pair now, though there is work; undefined when one may. */
  async whyNot(agent: Agent, needs: Needs, by: Caller, rows: Rows): Promise<string | undefined> {
    const { projectId } = needs
    const { limits, clock, engines, runners, trust } = this.#deps
    const store = new InstanceStore(rows)
    if ((await store.listOpen(agent.id, projectId)).length > 0) return 'stopping'
    if (await engines.isPaused(agent.engine)) return 'engine_paused'
    const unable = await runners.whyNotFor(runnerOf(by), needs, rows)
    if (unable) return unable
    if (await trust.isRefused(projectId, runnerOf(by))) return 'trust_required'
    const { runs, startsPerMinute } = limits()
    if ((await store.countStartedSince(clock.steady() - WINDOW_MS)) >= startsPerMinute) return 'rate_limited'
    return (await slotsTaken(rows, POOL)) >= runs ? 'no_slot' : undefined
  }

  /** What a start of this agent waits for; undefined when a Runner can take it, or a process is still there. */
  async unmet(agent: Agent, needs: Needs): Promise<Unmet | undefined> {
    const open = await new InstanceStore(this.#deps.db).listOpen(agent.id, needs.projectId)
    return open.length > 0 ? undefined : this.#deps.runners.unmet(needs)
  }

  /**
   * Of these, which have no process, the ones for which `whyNot` may have no answer, by a few queries for all of them. Trust is
   * left to the claim.
   */
  async listPossible(pairs: readonly Candidate[], by: Caller): Promise<Candidate[]> {
    const { db, limits, clock, engines, runners } = this.#deps
    const store = new InstanceStore(db)
    const { runs, startsPerMinute } = limits()
    if (pairs.length === 0 || (await slotsTaken(db, POOL)) >= runs) return []
    if ((await store.countStartedSince(clock.steady() - WINDOW_MS)) >= startsPerMinute) return []
    const paused = new Set(await engines.listPaused())
    const isOffered = await runners.offersTo(runnerOf(by), db)
    return pairs.filter(({ agent: { engine }, projectId, directory }) => {
      return !paused.has(engine) && isOffered({ engine, projectId, directory })
    })
  }

  /** In the transaction of the claim. */
  async open(tx: Tx, agent: Agent, projectId: string, epoch: number, ticket: string, by: Caller): Promise<void> {
    const { clock, ids, limits } = this.#deps
    const now = clock.steady()
    const instance: Instance = {
      id: ids.next('ins'),
      agentId: agent.id,
      projectId,
      epoch,
      engine: agent.engine,
      permission: USUAL_PERMISSION,
      runner: runnerOf(by),
      startedAt: now,
      heldUntil: now + START_MS,
      supervised: false,
      endedAt: null,
      process: null,
    }
    await new InstanceStore(tx).insert(instance, digest(ticket))
    await takeSlots(tx, POOL, limits().runs, [slotOf(instance)], now)
  }

  async findOpen(rows: Rows, lease: Lease): Promise<Instance | undefined> {
    const open = await new InstanceStore(rows).listOpen(lease.agentId, lease.projectId)
    return open.find(instance => instance.epoch === lease.epoch)
  }

  listOpen(): Promise<Instance[]> {
    return new InstanceStore(this.#deps.db).listAllOpen()
  }

  /** What the instance of this epoch was started with; undefined when there was none, or long ago. */
  async permissionOf(instance: { agentId: string; projectId: string; epoch: number }): Promise<Permission | undefined> {
    const { agentId, projectId, epoch } = instance
    return (await new InstanceStore(this.#deps.db).findByEpoch(agentId, projectId, epoch))?.permission
  }

  /** The lease of this epoch is given up. A process that a Runner holds keeps its slot until that Runner tells its end. */
  async leave(tx: Tx, lease: Pick<Lease, 'agentId' | 'projectId' | 'epoch'>): Promise<void> {
    const now = this.#deps.clock.steady()
    for (const instance of await new InstanceStore(tx).listOpen(lease.agentId, lease.projectId)) {
      const isHeld = instance.supervised && instance.heldUntil > now
      if (instance.epoch <= lease.epoch && !isHeld) await this.#close(tx, instance)
    }
  }

  /** Processes that nobody works with any more and that no Runner tells us of. */
  listUnheld(limit: number): Promise<Instance[]> {
    return new InstanceStore(this.#deps.db).listUnheld(this.#deps.clock.steady(), limit)
  }

  /** Closes those of them of which that is still so; answers how many. */
  settle(unheld: readonly Instance[]): Promise<number> {
    return this.#deps.db.tx(async tx => {
      const store = new InstanceStore(tx)
      const now = this.#deps.clock.steady()
      let closed = 0
      for (const { id, agentId, projectId } of unheld) {
        const instance = await store.find(id)
        if (!instance || instance.endedAt !== null || instance.heldUntil > now) continue
        const lease = await new SessionStore(tx).findLease(agentId, projectId)
        if (lease?.epoch === instance.epoch && isTaken(lease)) continue
        await this.#close(tx, instance)
        closed++
      }
      return closed
    })
  }

  listOld(limit: number): Promise<string[]> {
    return new InstanceStore(this.#deps.db).listEndedBefore(this.#deps.clock.steady() - KEPT_MS, limit)
  }

  forget(ids: readonly string[]): Promise<void> {
    return this.#deps.db.tx(tx => new InstanceStore(tx).forget(ids))
  }

  count(): Promise<number> {
    return new InstanceStore(this.#deps.db).countOpen()
  }

  /** Those whose process their Runners told us of, and whom it speaks for: whoever holds its ticket. */
  async listStarted(): Promise<Started<Caller>[]> {
    const open = await new InstanceStore(this.#deps.db).listStarted()
    return open.flatMap(({ process, agentId, projectId, epoch }) =>
      process ? [{ record: process, what: { kind: 'starter' as const, agentId, projectId, epoch } }] : [],
    )
  }

  /** A Runner is about to start the process, and from now on tells of it. By `process` we know it again when it comes to us. */
  begin(
    agentId: string,
    projectId: string,
    ticket: string,
    process: ProcessRecord | undefined,
    by: Caller,
  ): Promise<Begun> {
    return this.#deps.db.tx(async tx => {
      const lease = await new SessionStore(tx).findLeaseByTicket(digest(ticket))
      const isRight = lease?.agentId === agentId && lease.projectId === projectId
      const instance = lease && isRight ? await this.findOpen(tx, lease) : undefined
      const agent = await new AgentStore(tx).find(agentId)
      const project = await this.#deps.projects.find(projectId)
      if (!instance || !agent || !project || project.directory === null || instance.runner !== runnerOf(by))
        throw IdentityError.TICKET_REFUSED()
      if ((await this.#renew(tx, instance, process)) !== 'starting') throw IdentityError.TICKET_REFUSED()
      return { instance, agent, projectName: project.name, directory: project.directory }
    })
  }

  /** These still run; how each of them stands. */
  hold(
    ids: readonly string[],
    processes: ReadonlyMap<string, ProcessRecord>,
    by: Caller,
  ): Promise<{ id: string; state: InstanceState }[]> {
    return this.#deps.db.tx(async tx => {
      const states: { id: string; state: InstanceState }[] = []
      for (const id of ids) {
        const instance = await this.#own(tx, id, by)
        states.push({ id, state: instance ? await this.#renew(tx, instance, processes.get(id)) : 'gone' })
      }
      return states
    })
  }

  /** Proof of the end: the pair is free and what was open has ended, all at once. False when it was known already. */
  ended(id: string, ended: Ended, by: Caller): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const instance = await this.#own(tx, id, by)
      if (!instance) return false
      await this.#close(tx, instance)
      const { agentId, projectId, epoch, engine } = instance
      const { cause, exitCode, signal, message, quota } = ended
      const fact = { agentId, projectId, epoch, cause, exitCode, signal, message }
      await this.#deps.events.publish(tx, InstanceEnded, fact, by, projectId)
      if (quota) await this.#deps.engines.pause(engine, quota.resetsAt, quota.message, by)
      const lease = await new SessionStore(tx).findLease(agentId, projectId)
      if (lease?.epoch !== epoch || !isTaken(lease)) return true
      // Neither a Runner that was told to stop, nor a folder that is not trusted, nor an account that is used up is the agent's fault.
      const counts = cause !== 'stopped' && cause !== 'untrusted' && quota === undefined
      await this.#deps.lost(tx, lease, { counts, message, exitCode: exitCode ?? undefined }, by)
      return true
    })
  }

  async #renew(tx: Tx, instance: Instance, process: ProcessRecord | undefined): Promise<InstanceState> {
    const now = this.#deps.clock.steady()
    await new InstanceStore(tx).hold(instance.id, now + HOLD_MS, process)
    const store = new SessionStore(tx)
    const lease = await store.findLease(instance.agentId, instance.projectId)
    const agent = await new AgentStore(tx).find(instance.agentId)
    const project = await this.#deps.projects.find(instance.projectId)
    if (lease?.epoch !== instance.epoch || !agent?.enabled || !project?.active) return 'gone'
    const session = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
    if (isLive(session, now)) return 'running'
    if (lease.startBy === null) return 'left'
    // As long as its process is there the start goes on; how long that may take is the Runner's to say.
    if (lease.startBy > now) await store.saveLease({ ...lease, startBy: now + START_MS })
    return 'starting'
  }

  /** Another Runner's instances are none of its business. */
  async #own(tx: Tx, id: string, by: Caller): Promise<Instance | undefined> {
    const instance = await new InstanceStore(tx).find(id)
    return instance?.endedAt === null && instance.runner === runnerOf(by) ? instance : undefined
  }

  async #close(tx: Tx, instance: Instance): Promise<void> {
    await new InstanceStore(tx).end(instance.id, this.#deps.clock.steady())
    await freeSlot(tx, POOL, slotOf(instance))
  }
}

function slotOf({ agentId, projectId, epoch }: Instance): string {
  return `lease:${agentId}:${projectId}:${epoch}`
}

function runnerOf(by: Caller): string {
  // No Runner's name has brackets.
  return by.kind === 'runner' ? by.name : `(${by.kind})`
}
