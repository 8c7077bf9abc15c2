// Who may act: agents sign in and out. The lease on each (agent, project) is in `leases.ts`, starting agents in `claims.ts`.
import { createHmac } from 'node:crypto'
import { mayEnter } from '#contract/access.ts'
import { type Caller, callerId } from '#contract/caller.ts'
import type { AgentId, ProjectId, SessionId } from '#contract/id-types.ts'
import { IdentityError, SignedIn, SignedOut, SignInFailed } from '#contract/identity.ts'
import { ProjectError } from '#contract/projects.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubMoment, HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import { isSomebody, mayClaim } from './access.ts'
import { freeLease, type Leases } from './leases.ts'
import { type Agent, type EndReason, isLive, type Lease, SESSION_MS, type Session, signInPause } from './model.ts'
import { passkeyMatches } from './passkeys.ts'
import type { Instances, Projects } from './ports.ts'
import type { Starts } from './starts.ts'
import { AgentStore } from './agent-store.ts'
import { SessionStore } from './store.ts'

export type IdentityDeps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  projects: Pick<Projects, 'find' | 'isAssigned'>
  instances: Pick<Instances, 'left'>
  starts: Starts
  leases: Leases
}

export type SignIn = {
  agentId: AgentId
  projectId: ProjectId
  /** Proven by a right passkey or by the ticket the connection was opened with. */
  proof: 'passkey' | 'ticket' | 'none'
  connectionSecret: string | undefined
  /** Whom the connection was opened for; a run or a tab stays in its project also as an agent. */
  opener: Caller
}

export type SignedInAgent = { token: string; session: Session; agent: Agent; projectName: string }

/** A renewal that would move the expiry by less than this is not worth a write. */
const RENEW_STEP_MS = 60_000
/** Counters of sign-in failures are forgotten a day after their pause ended. */
const FAILURES_KEPT_MS = 24 * 3600 * 1000
/** Seven times as long as stored answers: a report that is sent again is known until then. */
const SESSIONS_KEPT_MS = 7 * 24 * 3600 * 1000
/** So many connections are asked about in one query. */
const ASKED = 500
/** Twice as long as an id may be. */
const ID_LENGTH = 200

export class Identity {
  readonly #deps: IdentityDeps

  constructor(deps: IdentityDeps) {
    this.#deps = deps
  }

  /** Slow on purpose; runs before the transaction. */
  async provePasskey(agentId: AgentId, passkey: string): Promise<boolean> {
    const agent = await new AgentStore(this.#deps.db).find(agentId)
    return passkeyMatches(passkey, agent?.passkey)
  }

  signIn(request: SignIn, by: Caller): Promise<SignedInAgent> {
    return this.#deps.db.tx(async tx => {
      await this.#maySignInAs(tx, request, by)
      const agent = await this.#proven(tx, request, by)
      const project = await this.#deps.projects.find(request.projectId)
      if (!project) throw ProjectError.PROJECT_NOT_FOUND({ projectId: request.projectId })
      if (!project.active) throw ProjectError.PROJECT_ARCHIVED({ projectId: project.id })
      if (!(await this.#deps.projects.isAssigned(project.id, agent.id)))
        throw ProjectError.AGENT_NOT_ASSIGNED({ agentId: agent.id, projectId: project.id })

      const store = new SessionStore(tx)
      const now = this.#deps.clock.steady()
      const found = await store.findLease(agent.id, project.id)
      const lease = (found && (await this.#deps.leases.settle(tx, found, by))) ?? freeLease(agent.id, project.id)
      this.#refuseReplaced(lease, request, by)
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
        createdAt: this.#deps.clock.now(),
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

  /** The live session behind a token; each use renews it. A connection of one agent cannot use another agent's. */
  session(token: string, by: Caller): Promise<Session> {
    return this.#deps.db.tx(async tx => {
      const store = new SessionStore(tx)
      const session = await store.findByToken(digest(token))
      const now = this.#deps.clock.steady()
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
    return { owner: { kind: 'agent' as const, agentId, projectId, epoch }, mayUse }
  }

  /** The session behind a token, ended or not. */
  findSession(token: string): Promise<Session | undefined> {
    return new SessionStore(this.#deps.db).findByToken(digest(token))
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
  complete(sessionId: SessionId, report: string, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const session = await new SessionStore(tx).find(sessionId)
      if (session) await this.end(session, 'completed', report, by)
    })
  }

  /** The agent that signed in on this connection, before it was cut or while it still is: where it did last, and is not out again. */
  async onConnection(connectionSecret: string): Promise<Caller | undefined> {
    const store = new SessionStore(this.#deps.db)
    const connection = digest(connectionSecret)
    const [live] = await store.liveOn(connection, this.#deps.clock.steady())
    const session = live ?? (await store.newestOn(connection))
    if (!session || session.endReason === 'logout') return undefined
    return { kind: 'agent', agentId: session.agentId, projectId: session.projectId, epoch: session.epoch }
  }

  /** The agent that is signed in on one of these connections, given by their digests; the newest of them, where several are. */
  async agentOn(connections: readonly string[]): Promise<AgentId | undefined> {
    const store = new SessionStore(this.#deps.db)
    const now = this.#deps.clock.steady()
    for (const connection of connections.toReversed()) {
      const [live] = await store.liveOn(connection, now)
      if (live) return live.agentId
    }
    return undefined
  }

  /** A connection that is still there keeps its agent's sessions alive: those of them that are due for it. */
  async listRenewable(connectionSecrets: readonly string[]): Promise<SessionId[]> {
    const store = new SessionStore(this.#deps.db)
    const now = this.#deps.clock.steady()
    const due: SessionId[] = []
    for (let at = 0; at < connectionSecrets.length; at += ASKED) {
      const digests = connectionSecrets.slice(at, at + ASKED).map(secret => digest(secret))
      due.push(...(await store.listDue(digests, now, now + SESSION_MS - RENEW_STEP_MS)))
    }
    return due
  }

  renewAll(sessionIds: readonly SessionId[]): Promise<void> {
    return this.#deps.db.tx(tx => {
      const now = this.#deps.clock.steady()
      return new SessionStore(tx).renewAll(sessionIds, now, now + SESSION_MS)
    })
  }

  /** Refuses an agent whose pair has been taken over since it signed in. */
  async admit(caller: Caller): Promise<void> {
    if (caller.kind !== 'agent' && caller.kind !== 'starter') return
    const lease = await new SessionStore(this.#deps.db).findLease(caller.agentId, caller.projectId)
    if (lease && lease.epoch > caller.epoch) throw IdentityError.STALE_EPOCH({ agentId: caller.agentId })
    await this.#mustBeEnabled(caller.agentId)
  }

  /** Sessions that ended so long ago that no call is sent again for them. What happened in them is in the event log. */
  listOldSessions(limit: number): Promise<SessionId[]> {
    const { db, clock } = this.#deps
    return new SessionStore(db).listOld(clock.now() - SESSIONS_KEPT_MS, clock.steady() - SESSIONS_KEPT_MS, limit)
  }

  forgetSessions(ids: readonly SessionId[]): Promise<void> {
    return this.#deps.db.tx(tx => new SessionStore(tx).forget(ids))
  }

  listOldFailures(limit: number): Promise<string[]> {
    return new AgentStore(this.#deps.db).failuresBefore(this.#deps.clock.steady() - FAILURES_KEPT_MS, limit)
  }

  forgetFailures(claimed: readonly string[]): Promise<void> {
    const before = this.#deps.clock.steady() - FAILURES_KEPT_MS
    return this.#deps.db.tx(tx => new AgentStore(tx).forgetFailures(claimed, before))
  }

  /** Disabling stops an agent that is signed in already, with its next call. */
  async #mustBeEnabled(agentId: AgentId): Promise<void> {
    const agent = await new AgentStore(this.#deps.db).find(agentId)
    if (!agent?.enabled) throw IdentityError.AGENT_DISABLED({ agentId })
  }

  /** A connection that the hub opened for one agent, or on which one is signed in, does not turn into another's. */
  async #maySignInAs(tx: Tx, request: SignIn, by: Caller): Promise<void> {
    const { opener } = request
    if (opener.kind === 'run' || opener.kind === 'tab') mayEnter(request.projectId, opener)
    if ((by.kind !== 'starter' && by.kind !== 'agent') || by.agentId === request.agentId) return
    const secret = request.connectionSecret
    const live =
      secret === undefined ? [] : await new SessionStore(tx).liveOn(digest(secret), this.#deps.clock.steady())
    if (by.kind === 'starter' || live.length > 0)
      throw IdentityError.AGENT_MISMATCH({ claimed: request.agentId, actual: by.agentId })
  }

  async #proven(tx: Tx, request: SignIn, by: Caller): Promise<Agent> {
    const store = new AgentStore(tx)
    const now = this.#deps.clock.steady()
    const agent = await store.find(request.agentId)
    // Others' guesses must not keep out the one that the hub itself has started.
    if (agent?.enabled && request.proof === 'ticket') return agent
    // No agent has such an id, and a counter under it would be a way to fill the disk.
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

  /** One that has only its ticket, and whose pair another has by now, cannot come back with it. */
  #refuseReplaced({ agentId, projectId, epoch }: Lease, { proof, opener }: SignIn, by: Caller): void {
    if (proof !== 'ticket') return
    const own = [by, opener].flatMap(who => (mayClaim(who, agentId, projectId) && 'epoch' in who ? [who.epoch] : []))
    if (own.length > 0 && Math.max(...own) < epoch) throw IdentityError.STALE_EPOCH({ agentId })
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

  async #renew(store: SessionStore, session: Session, now: HubMoment): Promise<void> {
    if (now + SESSION_MS - session.expiresAt >= RENEW_STEP_MS) await store.renew(session.id, now + SESSION_MS)
  }

  /** Made from the connection's secret where there is one, so that the same instance gets the same token again. */
  #token(sessionId: SessionId, connectionSecret: string | undefined): string {
    if (connectionSecret === undefined) return this.#deps.ids.secret('sess')
    return `sess_${createHmac('sha256', connectionSecret).update(sessionId).digest('base64url')}`
  }
}
