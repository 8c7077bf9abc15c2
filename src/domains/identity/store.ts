import type { Selectable } from 'kysely'
import { GIVEN_TOOLSETS } from '#contract/toolsets.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import { digest } from '#kernel/ids.ts'
import type { Agent, EndReason, Lease, Session } from './model.ts'
import type { IdentityTables } from './schema.ts'

export class AgentStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(id: string): Promise<Agent | undefined> {
    const row = await this.#q.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toAgent(row)
  }

  async findByName(name: string): Promise<Agent | undefined> {
    const row = await this.#q.selectFrom('agents').selectAll().where('name', '=', name).executeTakeFirst()
    return row && toAgent(row)
  }

  async enginesOf(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#q.selectFrom('agents').select(['id', 'engine']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, engine }) => [id, engine]))
  }

  async list(after: string, limit: number): Promise<Agent[]> {
    const rows = await this.#q
      .selectFrom('agents')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toAgent)
  }

  async idsStartingWith(prefix: string, limit: number): Promise<string[]> {
    const query = this.#q.selectFrom('agents').select('id').where('id', '>=', prefix)
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map(row => row.id).filter(id => id.startsWith(prefix))
  }

  async count(): Promise<number> {
    const row = await this.#q
      .selectFrom('agents')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }

  async insert(agent: Agent): Promise<void> {
    await this.#q.insertInto('agents').values(toAgentRow(agent)).execute()
  }

  async save(agent: Agent): Promise<void> {
    await this.#q.updateTable('agents').set(toAgentRow(agent)).where('id', '=', agent.id).execute()
  }

  /** By the id that was claimed: it may be no agent's. */
  async failures(claimed: string): Promise<{ failures: number; blockedUntil: number }> {
    const row = await this.#q
      .selectFrom('sign_in_failures')
      .selectAll()
      .where('claimed_digest', '=', digest(claimed))
      .executeTakeFirst()
    return { failures: row?.failures ?? 0, blockedUntil: row?.blocked_until ?? 0 }
  }

  async setFailures(claimed: string, failures: number, blockedUntil: number): Promise<void> {
    await this.#q
      .insertInto('sign_in_failures')
      .values({ claimed_digest: digest(claimed), failures, blocked_until: blockedUntil })
      .onConflict(oc => oc.column('claimed_digest').doUpdateSet({ failures, blocked_until: blockedUntil }))
      .execute()
  }

  async clearFailures(agentId: string): Promise<void> {
    await this.#q.deleteFrom('sign_in_failures').where('claimed_digest', '=', digest(agentId)).execute()
  }

  /** Counters of guesses at ids that do not exist must not pile up. */
  async forgetFailuresBefore(time: number): Promise<void> {
    await this.#q.deleteFrom('sign_in_failures').where('blocked_until', '<', time).execute()
  }
}

export class SessionStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(id: string): Promise<Session | undefined> {
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
  async takeTurn(id: string, turn: number): Promise<void> {
    await this.#q.updateTable('sessions').set({ turn }).where('id', '=', id).execute()
  }

  async renew(id: string, expiresAt: number): Promise<void> {
    await this.#q.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', id).execute()
  }

  async end(id: string, at: number, reason: EndReason, report: string | null): Promise<void> {
    await this.#q
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason, report })
      .where('id', '=', id)
      .execute()
  }

  async findLease(agentId: string, projectId: string): Promise<Lease | undefined> {
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

  /** Pairs whose instance or start may have fallen silent. */
  async listOverdue(now: HubMoment, limit: number): Promise<Lease[]> {
    const rows = await this.#q
      .selectFrom('leases')
      .leftJoin('sessions', 'sessions.id', 'leases.session_id')
      .leftJoin('instances', join =>
        join
          .onRef('instances.agent_id', '=', 'leases.agent_id')
          .onRef('instances.project_id', '=', 'leases.project_id')
          .onRef('instances.epoch', '=', 'leases.epoch')
          .on('instances.ended_at', 'is', null),
      )
      .selectAll('leases')
      .where(eb =>
        eb.or([
          eb.and([eb('sessions.ended_at', 'is', null), eb('sessions.expires_at', '<=', now)]),
          eb.and([
            eb('sessions.ended_at', 'is', null),
            eb('instances.supervised', '=', 1),
            eb('instances.held_until', '<=', now),
          ]),
          eb('leases.start_by', '<=', now),
        ]),
      )
      .limit(limit)
      .execute()
    return rows.map(toLease)
  }
}

function toAgent(row: Selectable<IdentityTables['agents']>): Agent {
  const { system_prompt, enabled, created_at, toolsets, ...rest } = row
  const given = GIVEN_TOOLSETS.filter(name => toolsets.split(',').includes(name))
  return { ...rest, systemPrompt: system_prompt, enabled: enabled === 1, createdAt: created_at, toolsets: given }
}

function toAgentRow(agent: Agent): IdentityTables['agents'] {
  const { systemPrompt, enabled, createdAt, toolsets, ...rest } = agent
  const given = toolsets.join(',')
  return { ...rest, system_prompt: systemPrompt, enabled: enabled ? 1 : 0, created_at: createdAt, toolsets: given }
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
