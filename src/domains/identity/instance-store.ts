import type { Selectable } from 'kysely'
import type { Permission } from '#contract/permission.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { Instance, Runner } from './model.ts'
import type { IdentityTables } from './schema.ts'

export class InstanceStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(id: string): Promise<Instance | undefined> {
    const row = await this.#q.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toInstance(row)
  }

  async findByEpoch(agentId: string, projectId: string, epoch: number): Promise<Instance | undefined> {
    const row = await this.#q
      .selectFrom('instances')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('project_id', '=', projectId)
      .where('epoch', '=', epoch)
      .executeTakeFirst()
    return row && toInstance(row)
  }

  /** Those of the pair that have not ended, whatever their epoch. */
  async listOpen(agentId: string, projectId: string): Promise<Instance[]> {
    const rows = await this.#q
      .selectFrom('instances')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('project_id', '=', projectId)
      .where('ended_at', 'is', null)
      .execute()
    return rows.map(toInstance)
  }

  /** Those that no Runner holds and no lease needs. */
  async listUnheld(now: number, limit: number): Promise<Instance[]> {
    const rows = await this.#q
      .selectFrom('instances')
      .leftJoin('leases', join =>
        join
          .onRef('leases.agent_id', '=', 'instances.agent_id')
          .onRef('leases.project_id', '=', 'instances.project_id')
          .onRef('leases.epoch', '=', 'instances.epoch')
          .on(eb => eb.or([eb('leases.session_id', 'is not', null), eb('leases.start_by', 'is not', null)])),
      )
      .selectAll('instances')
      .where('instances.ended_at', 'is', null)
      .where('instances.held_until', '<=', now)
      .where('leases.agent_id', 'is', null)
      .limit(limit)
      .execute()
    return rows.map(toInstance)
  }

  /** Of all pairs, as far as `lostAt` asks. */
  async listAllOpen(): Promise<Instance[]> {
    return (await this.#q.selectFrom('instances').selectAll().where('ended_at', 'is', null).execute()).map(toInstance)
  }

  async listStarted(): Promise<Instance[]> {
    const query = this.#q.selectFrom('instances').selectAll().where('ended_at', 'is', null)
    return (await query.where('process', 'is not', null).execute()).map(toInstance)
  }

  async countStartedSince(time: number): Promise<number> {
    const row = await this.#q
      .selectFrom('instances')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('started_at', '>', time)
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }

  async countOpen(runner?: string): Promise<number> {
    let query = this.#q
      .selectFrom('instances')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('ended_at', 'is', null)
    if (runner !== undefined) query = query.where('runner', '=', runner)
    return Number((await query.executeTakeFirstOrThrow()).n)
  }

  async insert(instance: Instance): Promise<void> {
    const row = {
      id: instance.id,
      agent_id: instance.agentId,
      project_id: instance.projectId,
      epoch: instance.epoch,
      engine: instance.engine,
      permission: instance.permission,
      runner: instance.runner,
      started_at: instance.startedAt,
      held_until: instance.heldUntil,
      supervised: instance.supervised ? 1 : 0,
      ended_at: instance.endedAt,
      process: instance.process && JSON.stringify(instance.process),
    }
    await this.#q.insertInto('instances').values(row).execute()
  }

  /** Its Runner spoke of it, and may have said which process it is. */
  async hold(id: string, until: number, process: ProcessRecord | undefined): Promise<void> {
    const known = process === undefined ? {} : { process: JSON.stringify(process) }
    const held = { held_until: until, supervised: 1, ...known }
    await this.#q.updateTable('instances').set(held).where('id', '=', id).execute()
  }

  async end(id: string, at: number): Promise<void> {
    await this.#q.updateTable('instances').set({ ended_at: at }).where('id', '=', id).execute()
  }

  async listEndedBefore(time: number, limit: number): Promise<string[]> {
    const query = this.#q.selectFrom('instances').select('id').where('ended_at', '<', time).orderBy('ended_at')
    return (await query.limit(limit).execute()).map(({ id }) => id)
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.#q.deleteFrom('instances').where('id', 'in', ids).execute()
  }
}

export class RunnerStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(name: string): Promise<Runner | undefined> {
    const row = await this.#q.selectFrom('runners').selectAll().where('name', '=', name).executeTakeFirst()
    return row && toRunner(row)
  }

  async findByToken(tokenDigest: string): Promise<Runner | undefined> {
    const query = this.#q.selectFrom('runners').selectAll().where('token_digest', '=', tokenDigest)
    const row = await query.executeTakeFirst()
    return row && toRunner(row)
  }

  async list(): Promise<Runner[]> {
    const rows = await this.#q.selectFrom('runners').selectAll().orderBy('name').execute()
    return rows.map(toRunner)
  }

  async save(runner: Runner): Promise<void> {
    const row = {
      name: runner.name,
      token_digest: runner.tokenDigest,
      engines: runner.engines.join(' '),
      created_at: runner.createdAt,
      seen_at: runner.seenAt,
      revoked_at: runner.revokedAt,
    }
    await this.#q
      .insertInto('runners')
      .values(row)
      .onConflict(oc => oc.column('name').doUpdateSet(row))
      .execute()
  }
}

function toInstance(row: Selectable<IdentityTables['instances']>): Instance {
  return {
    id: row.id,
    agentId: row.agent_id,
    projectId: row.project_id,
    epoch: row.epoch,
    engine: row.engine,
    permission: row.permission as Permission,
    runner: row.runner,
    startedAt: row.started_at,
    heldUntil: row.held_until,
    supervised: row.supervised === 1,
    endedAt: row.ended_at,
    process: row.process === null ? null : (JSON.parse(row.process) as ProcessRecord),
  }
}

function toRunner(row: Selectable<IdentityTables['runners']>): Runner {
  return {
    name: row.name,
    tokenDigest: row.token_digest,
    engines: row.engines.split(' ').filter(Boolean),
    createdAt: row.created_at,
    seenAt: row.seen_at,
    revokedAt: row.revoked_at,
  }
}
