// The lease on each (agent, project): who has it, and what happens when its holder falls silent or is taken away.
import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import { InstanceLost } from '#contract/identity.ts'
import { type RunEnd, runEnd } from '#contract/run-end.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { type Lease, type Loss, lostAt, MAX_RESTARTS, restartDelay } from './model.ts'
import type { Instances } from './ports.ts'
import type { Starts } from './starts.ts'
import { SessionStore } from './store.ts'

type Deps = { db: Db; events: EventLog; clock: HubTime; instances: Pick<Instances, 'lost'>; starts: Starts }

/** One start of a pair. */
type Whose = Pick<Lease, 'agentId' | 'projectId'> & { epoch: number | null }

export class Leases {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Pairs whose instance or start fell silent. */
  listOverdue(limit: number): Promise<Lease[]> {
    return new SessionStore(this.#deps.db).listOverdue(this.#deps.clock.steady(), limit)
  }

  /** Frees those of them that are still overdue; answers how many. */
  settleOverdue(overdue: readonly Lease[], by: Caller): Promise<number> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      let settled = 0
      for (const { agentId, projectId } of overdue) {
        const lease = await store.findLease(agentId, projectId)
        if (lease && (await this.settle(tx, lease, by)) !== lease) settled++
      }
      return settled
    })
  }

  /** The lease as it is after what fell silent has been freed. */
  async settle(tx: Tx, lease: Lease, by: Caller): Promise<Lease> {
    const at = await this.lostAt(lease)
    if (at === undefined) return lease
    const watched = (await this.#deps.starts.findOpen(tx, lease))?.supervised
    const end = runEnd(lease.sessionId !== null || watched ? 'silent' : 'not-taken-up')
    return this.#lose(tx, lease, at, { counts: true, end }, by)
  }

  /** When the pair may be started again after a failure; undefined when it may now. */
  async nextStart(agentId: AgentId, projectId: ProjectId): Promise<number | undefined> {
    const lease = await new SessionStore(this.#deps.db).findLease(agentId, projectId)
    return lease && lease.nextStartAt > this.#deps.clock.now() ? lease.nextStartAt : undefined
  }

  /** How often it was restarted without success since it last went well. */
  async restarts(agentId: AgentId, projectId: ProjectId): Promise<number> {
    return (await new SessionStore(this.#deps.db).findLease(agentId, projectId))?.restarts ?? 0
  }

  /** When its holder was lost; undefined while it is not. */
  async lostAt(lease: Lease): Promise<number | undefined> {
    const { db, starts, clock } = this.#deps
    const session = lease.sessionId === null ? undefined : await new SessionStore(db).find(lease.sessionId)
    return lostAt(lease, session, await starts.findOpen(db, lease), clock.steady())
  }

  /** Its process has ended and nothing was reported. */
  async lost(tx: Tx, lease: Lease, loss: Loss, by: Caller): Promise<void> {
    await this.#lose(tx, lease, this.#deps.clock.steady(), loss, by)
  }

  /** A person wants it to end: its session is over, and its Runner ends the process at the next heartbeat. */
  takeAway({ agentId, projectId, epoch }: Whose, end: RunEnd, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const lease = await new SessionStore(tx).findLease(agentId, projectId)
      if (!lease || lease.epoch !== epoch) return
      await this.#lose(tx, lease, this.#deps.clock.steady(), { counts: false, end }, by)
    })
  }

  async #lose(tx: Tx, lease: Lease, at: number, loss: Loss, by: Caller): Promise<Lease> {
    const store = new SessionStore(tx)
    const session = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
    if (session && session.endedAt === null) await store.end(session.id, this.#deps.clock.now(), 'lost', null)
    const restarts = lease.restarts + (loss.counts ? 1 : 0)
    const exhausted = restarts > MAX_RESTARTS
    const pauseMs = loss.counts ? restartDelay(restarts) : loss.pauseMs
    const freed: Lease = {
      ...lease,
      sessionId: null,
      startBy: null,
      restarts: exhausted ? 0 : restarts,
      nextStartAt: pauseMs === undefined ? lease.nextStartAt : at + pauseMs,
    }
    await store.saveLease(freed)
    const { agentId, projectId, epoch } = lease
    const { end, exitCode } = loss
    const sessionId = session?.id ?? null
    await this.#deps.instances.lost({ agentId, projectId, epoch, sessionId, exhausted, end, exitCode }, by)
    await this.#deps.starts.leave(tx, lease, by)
    await this.#deps.events.publish(tx, InstanceLost, { agentId, projectId, epoch, restarts }, by, projectId)
    return freed
  }
}

export function freeLease(agentId: AgentId, projectId: ProjectId): Lease {
  return {
    agentId,
    projectId,
    epoch: 0,
    ticketDigest: null,
    ticketConnection: null,
    startBy: null,
    sessionId: null,
    restarts: 0,
    nextStartAt: 0,
  }
}
