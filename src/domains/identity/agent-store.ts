// Agents, and how often a passkey was wrong for a name.
import type { Selectable } from 'kysely'
import type { AgentId } from '#contract/id-types.ts'
import { GIVEN_TOOLSETS } from '#contract/toolsets.ts'
import type { Rows } from '#kernel/db/db.ts'
import { digest } from '#kernel/ids.ts'
import type { Agent } from './model.ts'
import type { IdentityTables } from './schema.ts'
import { AMONG } from './store.ts'

export class AgentStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(id: AgentId): Promise<Agent | undefined> {
    const row = await this.#q.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toAgent(row)
  }

  async findByName(name: string): Promise<Agent | undefined> {
    const row = await this.#q.selectFrom('agents').selectAll().where('name', '=', name).executeTakeFirst()
    return row && toAgent(row)
  }

  async enginesOf(ids: readonly AgentId[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#q.selectFrom('agents').select(['id', 'engine']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, engine }) => [id, engine]))
  }

  async list(after: string, limit: number): Promise<Agent[]> {
    const rows = await this.#q
      .selectFrom('agents')
      .selectAll()
      .where('id', '>', after as AgentId)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(toAgent)
  }

  async idsStartingWith(prefix: string, limit: number): Promise<string[]> {
    const query = this.#q
      .selectFrom('agents')
      .select('id')
      .where('id', '>=', prefix as AgentId)
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

  async clearFailures(agentId: AgentId): Promise<void> {
    await this.#q.deleteFrom('sign_in_failures').where('claimed_digest', '=', digest(agentId)).execute()
  }

  /** Counters of guesses at ids that do not exist must not pile up. */
  async failuresBefore(time: number, limit: number): Promise<string[]> {
    const query = this.#q.selectFrom('sign_in_failures').select('claimed_digest').where('blocked_until', '<', time)
    return (await query.orderBy('blocked_until').limit(limit).execute()).map(row => row.claimed_digest)
  }

  async forgetFailures(digests: readonly string[], before: number): Promise<void> {
    await this.#q
      .deleteFrom('sign_in_failures')
      .where('claimed_digest', 'in', digests)
      .where('blocked_until', '<', before)
      .execute()
  }

  /** Those of them that may work. */
  async enabledAmong(ids: readonly AgentId[]): Promise<Agent[]> {
    const found: Agent[] = []
    for (let at = 0; at < ids.length; at += AMONG) {
      const query = this.#q
        .selectFrom('agents')
        .selectAll()
        .where('id', 'in', ids.slice(at, at + AMONG))
      found.push(...(await query.where('enabled', '=', 1).execute()).map(toAgent))
    }
    return found
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
