// Sessions and leases.
import type { Selectable } from 'kysely'
import type { AgentId, ProjectId, SessionId } from '#contract/id-types.ts'
import { HOLD_MS } from '#contract/runner.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import { type EndReason, type Lease, pairKey, SESSION_MS, type Session } from './model.ts'
import type { IdentityTables } from './schema.ts'

/** So many values are named in one statement; neither database takes any number of them. */
export const AMONG = 1000

export class SessionStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(id: SessionId): Promise<Session | undefined> {
    const row = await this.#q.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toSession(row)
  }

  async findByToken(tokenDigest: string): Promise<Session | undefined> {
    const row = await this.#q
      .selectFrom('sessions')
      .selectAll()
      .where('token_digest', '=', tokenDigest)
      .executeTakeFirst()
    return row && toSession(row)
  }

  /** The one that was signed in to last. */
  async newestOn(connectionDigest: string): Promise<Session | undefined> {
    const query = this.#on(connectionDigest).selectAll().limit(1)
    const row = await query.executeTakeFirst()
    return row && toSession(row)
  }

  /** One agent's, on one project or several; the one that was signed in to last comes first. */
  async liveOn(connectionDigest: string, now: HubMoment): Promise<Session[]> {
    const query = this.#on(connectionDigest).selectAll().where('ended_at', 'is', null).where('expires_at', '>', now)
    return (await query.execute()).map(toSession)
  }

  #on(connectionDigest: string) {
    return this.#q
      .selectFrom('sessions')
      .where('connection_digest', '=', connectionDigest)
      .orderBy('turn', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
  }

  async insert(session: Session): Promise<void> {
    await this.#q.insertInto('sessions').values(toSessionRow(session)).execute()
  }

  /** Signed in to again: it is the latest of its connection from now on. */
  async takeTurn(id: SessionId, turn: number): Promise<void> {
    await this.#q.updateTable('sessions').set({ turn }).where('id', '=', id).execute()
  }

  async renew(id: SessionId, expiresAt: number): Promise<void> {
    await this.#q.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', id).execute()
  }

  async end(id: SessionId, at: number, reason: EndReason, report: string | null): Promise<void> {
    await this.#q
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason, report })
      .where('id', '=', id)
      .execute()
  }

  async findLease(agentId: AgentId, projectId: ProjectId): Promise<Lease | undefined> {
    const row = await this.#q
      .selectFrom('leases')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return row && toLease(row)
  }

  async findLeaseByTicket(ticketDigest: string): Promise<Lease | undefined> {
    const row = await this.#q
      .selectFrom('leases')
      .selectAll()
      .where('ticket_digest', '=', ticketDigest)
      .executeTakeFirst()
    return row && toLease(row)
  }

  /** Not by a range: the letters' order is the collation's. There is one lease for each agent and project. */
  async findTicket(beginning: string): Promise<string | undefined> {
    const row = await this.#q
      .selectFrom('leases')
      .select('ticket_digest')
      .where(eb => eb(eb.fn('substr', ['ticket_digest', eb.val(1), eb.val(beginning.length)]), '=', beginning))
      .executeTakeFirst()
    return row?.ticket_digest ?? undefined
  }

  async saveLease(lease: Lease): Promise<void> {
    const row = toLeaseRow(lease)
    await this.#q
      .insertInto('leases')
      .values(row)
      .onConflict(oc => oc.columns(['agent_id', 'project_id']).doUpdateSet(row))
      .execute()
  }

  /** Pairs whose instance or start may have fallen silent. Three questions, each of them answered by an index of its own. */
  async listOverdue(now: HubMoment, limit: number): Promise<Lease[]> {
    const ranOut = this.#q
      .selectFrom('sessions')
      .innerJoin('leases', 'leases.session_id', 'sessions.id')
      .selectAll('leases')
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '<=', now)
    const unheld = this.#q
      .selectFrom('instances')
      .innerJoin('leases', join =>
        join
          .onRef('leases.agent_id', '=', 'instances.agent_id')
          .onRef('leases.project_id', '=', 'instances.project_id')
          .onRef('leases.epoch', '=', 'instances.epoch'),
      )
      .innerJoin('sessions', 'sessions.id', 'leases.session_id')
      .selectAll('leases')
      .where('instances.ended_at', 'is', null)
      .where('instances.held_until', '<=', now)
      .where('instances.supervised', '=', 1)
      .where('sessions.ended_at', 'is', null)
      // As `lostAt` has it: a connection that is still heard of keeps the pair.
      .where('sessions.expires_at', '<=', now + SESSION_MS - HOLD_MS)
    const notTakenUp = this.#q.selectFrom('leases').selectAll().where('start_by', '<=', now)
    const found = new Map<string, Lease>()
    for (const query of [ranOut, unheld, notTakenUp])
      for (const lease of (await query.limit(limit).execute()).map(toLease)) found.set(pairKey(lease), lease)
    return [...found.values()]
  }

  /** Those that were over by then, and that no lease names: such a one never comes back. */
  async listOld(endedBy: number, expiredBy: number, limit: number): Promise<SessionId[]> {
    const unnamed = this.#q
      .selectFrom('sessions')
      .select('id')
      .where(eb =>
        eb.not(eb.exists(eb.selectFrom('leases').select('epoch').whereRef('leases.session_id', '=', 'sessions.id'))),
      )
    const ended = unnamed.where('ended_at', '<', endedBy).orderBy('ended_at')
    // One that was never ended, since its lease had gone on without it.
    const left = unnamed.where('ended_at', 'is', null).where('expires_at', '<', expiredBy).orderBy('expires_at')
    const old: SessionId[] = []
    for (const query of [ended, left]) old.push(...(await query.limit(limit).execute()).map(({ id }) => id))
    return old.slice(0, limit)
  }

  async forget(ids: readonly SessionId[]): Promise<void> {
    await this.#q.deleteFrom('sessions').where('id', 'in', ids).execute()
  }

  /** Live ones on these connections that would run out before `until`. */
  async listDue(connectionDigests: readonly string[], now: number, until: number): Promise<SessionId[]> {
    const rows = await this.#q
      .selectFrom('sessions')
      .select('id')
      .where('connection_digest', 'in', connectionDigests)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', until)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Those that are still live. */
  async renewAll(ids: readonly SessionId[], now: number, expiresAt: number): Promise<void> {
    await this.#q
      .updateTable('sessions')
      .set({ expires_at: expiresAt })
      .where('id', 'in', ids)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .execute()
  }

  /** How the pairs of these agents stand, each with the session that its lease names. */
  async listPairs(agentIds: readonly AgentId[]): Promise<{ lease: Lease; session: Session | undefined }[]> {
    const found: { lease: Lease; session: Session | undefined }[] = []
    for (let at = 0; at < agentIds.length; at += AMONG) {
      const chunk = agentIds.slice(at, at + AMONG)
      const leases = await this.#q.selectFrom('leases').selectAll().where('agent_id', 'in', chunk).execute()
      const named = this.#q.selectFrom('leases').innerJoin('sessions', 'sessions.id', 'leases.session_id')
      const rows = await named.selectAll('sessions').where('leases.agent_id', 'in', chunk).execute()
      const sessions = new Map(rows.map(row => [row.id, toSession(row)]))
      for (const row of leases)
        found.push({ lease: toLease(row), session: sessions.get((row.session_id ?? '') as SessionId) })
    }
    return found
  }
}

function toSession(row: Selectable<IdentityTables['sessions']>): Session {
  return {
    id: row.id,
    tokenDigest: row.token_digest,
    agentId: row.agent_id,
    projectId: row.project_id,
    epoch: row.epoch,
    connectionDigest: row.connection_digest,
    turn: row.turn,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    endReason: row.end_reason as EndReason | null,
    report: row.report,
  }
}

function toSessionRow(session: Session): IdentityTables['sessions'] {
  return {
    id: session.id,
    token_digest: session.tokenDigest,
    agent_id: session.agentId,
    project_id: session.projectId,
    epoch: session.epoch,
    connection_digest: session.connectionDigest,
    turn: session.turn,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    ended_at: session.endedAt,
    end_reason: session.endReason,
    report: session.report,
  }
}

function toLease(row: Selectable<IdentityTables['leases']>): Lease {
  return {
    agentId: row.agent_id,
    projectId: row.project_id,
    epoch: row.epoch,
    ticketDigest: row.ticket_digest,
    ticketConnection: row.ticket_connection,
    startBy: row.start_by,
    sessionId: row.session_id,
    restarts: row.restarts,
    nextStartAt: row.next_start_at,
  }
}

function toLeaseRow(lease: Lease): IdentityTables['leases'] {
  return {
    agent_id: lease.agentId,
    project_id: lease.projectId,
    epoch: lease.epoch,
    ticket_digest: lease.ticketDigest,
    ticket_connection: lease.ticketConnection,
    start_by: lease.startBy,
    session_id: lease.sessionId,
    restarts: lease.restarts,
    next_start_at: lease.nextStartAt,
  }
}
