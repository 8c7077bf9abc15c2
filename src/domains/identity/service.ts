// Who may act: signing in and out, the lease on each (agent, project), and start tickets.
import { createHmac } from 'node:crypto'
import { mayEnter } from '#contract/access.ts'
import { type Caller, callerId } from '#contract/caller.ts'
import { IdentityError, InstanceLost, SignedIn, SignedOut, SignInFailed, StartClaimed } from '#contract/identity.ts'
import { ProjectError } from '#contract/projects.ts'
import { runEnd } from '#contract/run-end.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import { isSomebody, mayClaim } from './access.ts'
import {
  type Agent,
  type EndReason,
  isLive,
  type Lease,
  type Loss,
  lostAt,
  MAX_RESTARTS,
  restartDelay,
  SESSION_MS,
  type Session,
  signInPause,
  START_MS,
  whyBusy,
} from './model.ts'
import { passkeyMatches } from './passkeys.ts'
import type { Instances, Projects, Trust } from './ports.ts'
import type { Starts } from './starts.ts'
import { AgentStore, SessionStore } from './store.ts'

export type IdentityDeps = {
  db: Db
  events: EventLog
  clock: Clock
  ids: Ids
  projects: Projects
  instances: Instances
  starts: Starts
  trust: Pick<Trust, 'refusal'>
}

export type SignIn = {
  agentId: string
  projectId: string
  /** Proven by a right passkey or by the ticket the connection was opened with. */
  proof: 'passkey' | 'ticket' | 'none'
  connectionSecret: string | undefined
  /** Whom the connection was opened for; a run or a tab stays in its project also as an agent. */
  opener: Caller
}

export type SignedInAgent = { token: string; session: Session; agent: Agent; projectName: string }

export type StartAnswer = { start: false; reason: string } | { start: true; ticket: string; agent: Agent }

/** A renewal that would move the expiry by less than this is not worth a write. */
const RENEW_STEP_MS = 60_000
/** Counters of sign-in failures are forgotten a day after their pause ended. */
const FAILURES_KEPT_MS = 24 * 3600 * 1000
/** Twice as long as an id may be. */
const ID_LENGTH = 200

export class Identity {
  readonly #deps: IdentityDeps

  constructor(deps: IdentityDeps) {
    this.#deps = deps
  }

  /** Slow on purpose; runs before the transaction. */
  async provePasskey(agentId: string, passkey: string): Promise<boolean> {
    const agent = await new AgentStore(this.#deps.db).find(agentId)
    return passkeyMatches(passkey, agent?.passkey)
  }

  signIn(request: SignIn, by: Caller): Promise<SignedInAgent> {
    return this.#deps.db.tx(async tx => {
      await this.#mayBecome(tx, request, by)
      const agent = await this.#proven(tx, request, by)
      const project = await this.#deps.projects.find(request.projectId)
      if (!project) throw ProjectError.PROJECT_NOT_FOUND({ projectId: request.projectId })
      if (!project.active) throw ProjectError.PROJECT_ARCHIVED({ projectId: project.id })
      if (!(await this.#deps.projects.isAssigned(project.id, agent.id)))
        throw ProjectError.AGENT_NOT_ASSIGNED({ agentId: agent.id, projectId: project.id })

      const store = new SessionStore(tx)
      const now = this.#deps.clock.now()
      const found = await store.findLease(agent.id, project.id)
      const lease = (found && (await this.#settle(tx, found, by))) ?? freeLease(agent.id, project.id)
      const current = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
      const connectionDigest = request.connectionSecret === undefined ? null : digest(request.connectionSecret)
      const latest = connectionDigest === null ? undefined : await store.newestOn(connectionDigest)
      const turn = (latest?.turn ?? 0) + 1
      if (isLive(current, now)) {
        // The same instance asks again because it never saw the answer.
        if (connectionDigest === null || current.connectionDigest !== connectionDigest)
          throw IdentityError.ALREADY_RUNNING()
        await store.renew(current.id, now + SESSION_MS)
        if (latest?.id !== current.id) await store.takeTurn(current.id, turn)
        const token = this.#token(current.id, request.connectionSecret)
        return { token, session: current, agent, projectName: project.name }
      }
      const epoch = this.#nextEpoch(lease, request, by)

      const id = this.#deps.ids.next('ssn')
      const token = this.#token(id, request.connectionSecret)
      const session: Session = {
        id,
        tokenDigest: digest(token),
        agentId: agent.id,
        projectId: project.id,
        epoch,
        connectionDigest,
        turn,
        createdAt: now,
        expiresAt: now + SESSION_MS,
        endedAt: null,
        endReason: null,
        report: null,
      }
      await store.insert(session)
      // A ticket from before this epoch must not open a later one.
      const ticket = epoch === lease.epoch ? {} : { ticketDigest: null, ticketConnection: null }
      await store.saveLease({ ...lease, ...ticket, epoch, sessionId: id, startBy: null })
      if (epoch !== lease.epoch) await this.#deps.starts.replaced(tx, lease, epoch, by)
      await this.#deps.events.publish(tx, SignedIn, { agentId: agent.id, projectId: project.id, epoch }, by, project.id)
      return { token, session, agent, projectName: project.name }
    })
  }

  /** The live session behind a token; each use renews it. A connection that is somebody cannot use another's. */
  session(token: string, by: Caller): Promise<Session> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      const session = await store.findByToken(digest(token))
      const now = this.#deps.clock.now()
      if (!isLive(session, now)) throw IdentityError.INVALID_SESSION()
      await this.#mustBeEnabled(session.agentId)
      const own = isSomebody(by) ? callerId(by) : undefined
      if (own !== undefined && !mayClaim(by, session.agentId, session.projectId))
        throw IdentityError.AGENT_MISMATCH({ claimed: session.agentId, actual: own })
      await this.#renew(store, session, now)
      return session
    })
  }

  /** Whom a token speaks for, its session ended or not, and whether this caller may use it. */
  async named(token: string, by: Caller, connectionSecret: string | undefined) {
    const session = await this.findSession(token)
    if (!session) return undefined
    const { agentId, projectId, epoch, connectionDigest } = session
    const isHere = connectionSecret !== undefined && connectionDigest === digest(connectionSecret)
    const isOwn = by.kind === 'agent' && by.agentId === agentId && isHere
    const mayUse = !isSomebody(by) || isOwn || mayClaim(by, agentId, projectId)
    return { agent: { kind: 'agent' as const, agentId, projectId, epoch }, mayUse }
  }

  /** The session behind a token, ended or not. */
  findSession(token: string): Promise<Session | undefined> {
    return new SessionStore(this.#deps.db).findByToken(digest(token))
  }

  /** Which of the pair's instances a session was; 0 when it is not known here any more. */
  async epochOf(sessionId: string): Promise<number> {
    return (await new SessionStore(this.#deps.db).find(sessionId))?.epoch ?? 0
  }

  end(session: Session, reason: EndReason, report: string | null, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      await store.end(session.id, this.#deps.clock.now(), reason, report)
      await this.#deps.instances.left(session, by)
      const lease = await store.findLease(session.agentId, session.projectId)
      if (lease?.sessionId === session.id)
        await store.saveLease({ ...lease, sessionId: null, startBy: null, restarts: 0, nextStartAt: 0 })
      await this.#deps.starts.leave(tx, session, by)
      const { agentId, projectId, epoch } = session
      await this.#deps.events.publish(tx, SignedOut, { agentId, projectId, epoch, reason }, by, projectId)
    })
  }

  /** Signs out because the work is reported. */
  complete(sessionId: string, report: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const session = await new SessionStore(tx).find(sessionId)
      if (session) await this.end(session, 'completed', report, by)
    })
  }

  /** Checks and claims in one step, so that two runners never start the same pair twice. */
  claimStart(agentId: string, projectId: string, by: Caller): Promise<StartAnswer> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      const found = await store.findLease(agentId, projectId)
      if (found) await this.#settle(tx, found, by)
      const looked = await this.#lookAt(agentId, projectId, by)
      if (typeof looked === 'string') return no(looked)

      const { agent, lease } = looked
      const epoch = lease.epoch + 1
      const ticket = this.#deps.ids.secret('tkt')
      await this.#deps.starts.open(tx, agent, projectId, epoch, by)
      await store.saveLease({
        ...lease,
        epoch,
        ticketDigest: digest(ticket),
        ticketConnection: null,
        startBy: this.#deps.clock.now() + START_MS,
        sessionId: null,
      })
      await this.#deps.events.publish(tx, StartClaimed, { agentId, projectId, epoch }, by, projectId)
      return { start: true, ticket, agent }
    })
  }

  /** The answer of `claimStart` where it is no and nothing has to be written for it; Runners ask all the time. */
  async glanceAtStart(agentId: string, projectId: string, by: Caller): Promise<string | undefined> {
    const lease = await new SessionStore(this.#deps.db).findLease(agentId, projectId)
    if (lease && (await this.#lostAt(lease)) !== undefined) return undefined
    const looked = await this.#lookAt(agentId, projectId, by)
    return typeof looked === 'string' ? looked : undefined
  }

  /** Why nothing may start in the project's folder on this machine. */
  async whyNotHere(projectId: string): Promise<string | undefined> {
    const project = await this.#deps.projects.find(projectId)
    const refusal = project?.directory ? await this.#deps.trust.refusal(project.directory) : undefined
    return refusal && 'trust_required'
  }

  /** Why the pair is not to be started now, or what a start needs. Something that is overdue has been settled. */
  async #lookAt(agentId: string, projectId: string, by: Caller): Promise<string | { agent: Agent; lease: Lease }> {
    const { db, projects, starts, clock } = this.#deps
    const agent = await new AgentStore(db).find(agentId)
    if (!agent) return 'unknown_agent'
    if (!agent.enabled) return 'agent_disabled'
    const project = await projects.find(projectId)
    if (!project) return 'unknown_project'
    if (!project.active) return 'project_archived'
    if (project.directory === null) return 'no_directory'
    if (!(await projects.isAssigned(projectId, agentId))) return 'not_assigned'

    const store = new SessionStore(db)
    const lease = (await store.findLease(agentId, projectId)) ?? freeLease(agentId, projectId)
    const session = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
    const busy = whyBusy(lease, session, clock.now())
    if (busy) return busy
    if (!(await projects.hasWork(projectId, agentId))) return 'no_work'
    return (await starts.whyNot(agent, projectId, by, db)) ?? { agent, lease }
  }

  /** Whom a ticket speaks for. The first connection to use it keeps it; anyone else with a copy is refused. */
  redeem(ticket: string, connectionSecret: string | undefined): Promise<Caller> {
    return this.#deps.db.tx(async tx => {
      if (connectionSecret === undefined) throw IdentityError.TICKET_REFUSED()
      const store = new SessionStore(tx)
      const lease = await store.findLeaseByTicket(digest(ticket))
      const connection = digest(connectionSecret)
      if (!lease) throw IdentityError.TICKET_REFUSED()
      if (lease.ticketConnection !== null && lease.ticketConnection !== connection) throw IdentityError.TICKET_REFUSED()
      const outOfDate = lease.startBy === null || lease.startBy <= this.#deps.clock.now()
      if (lease.ticketConnection === null && outOfDate) throw IdentityError.TICKET_REFUSED()
      if (lease.ticketConnection === null) await store.saveLease({ ...lease, ticketConnection: connection })
      return { kind: 'starter', agentId: lease.agentId, projectId: lease.projectId, epoch: lease.epoch }
    })
  }

  /** Of the ticket whose digest begins so. */
  digestOf(key: string): Promise<string | undefined> {
    return new SessionStore(this.#deps.db).findTicket(key)
  }

  /** The agent that signed in on this connection, before it was cut or while it still is: where it did last, and is not out again. */
  async onConnection(connectionSecret: string): Promise<Caller | undefined> {
    const store = new SessionStore(this.#deps.db)
    const connection = digest(connectionSecret)
    const [live] = await store.liveOn(connection, this.#deps.clock.now())
    const session = live ?? (await store.newestOn(connection))
    if (!session || session.endReason === 'logout') return undefined
    return { kind: 'agent', agentId: session.agentId, projectId: session.projectId, epoch: session.epoch }
  }

  /** A connection that is still there keeps its agent's sessions alive. */
  heartbeat(connectionSecrets: readonly string[]): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      const now = this.#deps.clock.now()
      for (const secret of connectionSecrets)
        for (const session of await store.liveOn(digest(secret), now)) await this.#renew(store, session, now)
    })
  }

  /** Refuses an agent whose pair has been taken over since it signed in. */
  async admit(caller: Caller): Promise<void> {
    if (caller.kind !== 'agent' && caller.kind !== 'starter') return
    const lease = await new SessionStore(this.#deps.db).findLease(caller.agentId, caller.projectId)
    if (lease && lease.epoch > caller.epoch) throw IdentityError.STALE_EPOCH({ agentId: caller.agentId })
    await this.#mustBeEnabled(caller.agentId)
  }

  /** Frees every pair whose instance or start fell silent. */
  settleOverdue(by: Caller): Promise<number> {
    return this.#deps.db.tx(async tx => {
      const now = this.#deps.clock.now()
      const overdue = await new SessionStore(tx).listOverdue(now, 500)
      for (const lease of overdue) await this.#settle(tx, lease, by)
      await this.#deps.starts.settle(tx, by)
      await new AgentStore(tx).forgetFailuresBefore(now - FAILURES_KEPT_MS)
      return overdue.length
    })
  }

  /** The machine slept, or its clock was set: nobody could speak meanwhile, so nobody fell silent. */
  jumped(since: number, ms: number): Promise<void> {
    return this.#deps.db.tx(tx => new SessionStore(tx).postpone(since, ms))
  }

  /** Disabling stops an agent that is signed in already, with its next call. */
  async #mustBeEnabled(agentId: string): Promise<void> {
    const agent = await new AgentStore(this.#deps.db).find(agentId)
    if (!agent?.enabled) throw IdentityError.AGENT_DISABLED({ agentId })
  }

  async #settle(tx: Tx, lease: Lease, by: Caller): Promise<Lease> {
    const at = await this.#lostAt(lease)
    if (at === undefined) return lease
    const watched = (await this.#deps.starts.findOpen(tx, lease))?.supervised
    const end = runEnd(lease.sessionId !== null || watched ? 'silent' : 'not-taken-up')
    return this.#lose(tx, lease, at, { counts: true, end }, by)
  }

  /** When the pair may be started again after a failure; undefined when it may now. */
  async nextStart(agentId: string, projectId: string): Promise<number | undefined> {
    const lease = await new SessionStore(this.#deps.db).findLease(agentId, projectId)
    return lease && lease.nextStartAt > this.#deps.clock.now() ? lease.nextStartAt : undefined
  }

  async #lostAt(lease: Lease): Promise<number | undefined> {
    const { db, starts, clock } = this.#deps
    const session = lease.sessionId === null ? undefined : await new SessionStore(db).find(lease.sessionId)
    return lostAt(lease, session, await starts.findOpen(db, lease), clock.now())
  }

  /** Its process has ended and nothing was reported. */
  async lost(tx: Tx, lease: Lease, loss: Loss, by: Caller): Promise<void> {
    await this.#lose(tx, lease, this.#deps.clock.now(), loss, by)
  }

  async #lose(tx: Tx, lease: Lease, at: number, loss: Loss, by: Caller): Promise<Lease> {
    const store = new SessionStore(tx)
    const session = lease.sessionId === null ? undefined : await store.find(lease.sessionId)
    if (session && session.endedAt === null) await store.end(session.id, this.#deps.clock.now(), 'lost', null)
    const restarts = lease.restarts + (loss.counts ? 1 : 0)
    const exhausted = restarts > MAX_RESTARTS
    const freed: Lease = {
      ...lease,
      sessionId: null,
      startBy: null,
      restarts: exhausted ? 0 : restarts,
      nextStartAt: loss.counts ? at + restartDelay(restarts) : lease.nextStartAt,
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

  /** A connection that the hub opened for one agent, or on which one is signed in, does not turn into another's. */
  async #mayBecome(tx: Tx, request: SignIn, by: Caller): Promise<void> {
    const { opener } = request
    if (opener.kind === 'run' || opener.kind === 'tab') mayEnter(request.projectId, opener)
    if ((by.kind !== 'starter' && by.kind !== 'agent') || by.agentId === request.agentId) return
    const secret = request.connectionSecret
    const live = secret === undefined ? [] : await new SessionStore(tx).liveOn(digest(secret), this.#deps.clock.now())
    if (by.kind === 'starter' || live.length > 0)
      throw IdentityError.AGENT_MISMATCH({ claimed: request.agentId, actual: by.agentId })
  }

  async #proven(tx: Tx, request: SignIn, by: Caller): Promise<Agent> {
    const store = new AgentStore(tx)
    const now = this.#deps.clock.now()
    const agent = await store.find(request.agentId)
    // Others' guesses must not keep out the one that the hub itself has started.
    if (agent?.enabled && request.proof === 'ticket') return agent
    // No agent has such an id, and a counter under it would be a gift to whoever wants to fill the disk.
    if (request.agentId.length > ID_LENGTH) throw IdentityError.INVALID_CREDENTIALS()
    const { failures, blockedUntil } = await store.failures(request.agentId)
    if (blockedUntil > now) throw IdentityError.TOO_MANY_ATTEMPTS({ seconds: Math.ceil((blockedUntil - now) / 1000) })
    if (!agent?.enabled || request.proof === 'none') {
      await store.setFailures(request.agentId, failures + 1, now + signInPause(failures + 1))
      await this.#deps.events.publish(tx, SignInFailed, { agentId: agent?.id ?? null }, by)
      throw IdentityError.INVALID_CREDENTIALS().keepingWrites()
    }
    if (failures > 0) await store.clearFailures(agent.id)
    return agent
  }

  /** A ticket signs in for the epoch it was given for; a passkey opens a new one and so fences a start in progress. */
  #nextEpoch(lease: Lease, { proof, opener }: SignIn, by: Caller): number {
    const own = [by, opener].find(who => mayClaim(who, lease.agentId, lease.projectId))
    const epoch = own && 'epoch' in own ? own.epoch : undefined
    if (own?.kind === 'starter' && epoch === lease.epoch) return lease.epoch
    if (proof !== 'ticket') return lease.epoch + 1
    if (epoch !== lease.epoch) throw IdentityError.TICKET_REFUSED()
    return lease.epoch
  }

  async #renew(store: SessionStore, session: Session, now: number): Promise<void> {
    if (now + SESSION_MS - session.expiresAt >= RENEW_STEP_MS) await store.renew(session.id, now + SESSION_MS)
  }

  /** Made from the connection's secret where there is one, so that the same instance gets the same token again. */
  #token(sessionId: string, connectionSecret: string | undefined): string {
    if (connectionSecret === undefined) return this.#deps.ids.secret('sess')
    return `sess_${createHmac('sha256', connectionSecret).update(sessionId).digest('base64url')}`
  }
}

function no(reason: string): StartAnswer {
  return { start: false, reason }
}

function freeLease(agentId: string, projectId: string): Lease {
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
