import type { Selectable } from 'kysely'
import type { AgentId, InstanceId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { Permission } from '#contract/permission.ts'
import type { ProjectFolder } from '#contract/runner.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { HubMoment } from '#kernel/hub-time.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { Instance, Runner } from './model.ts'
import type { IdentityTables } from './schema.ts'

export class InstanceStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  async find(id: InstanceId): Promise<Instance | undefined> {
    const row = await this.#q.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toInstance(row)
  }

  async findByEpoch(agentId: AgentId, projectId: ProjectId, epoch: number): Promise<Instance | undefined> {
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
  async listOpen(agentId: AgentId, projectId: ProjectId): Promise<Instance[]> {
    const rows = await this.#q
      .selectFrom('instances')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('project_id', '=', projectId)
      .where('ended_at', 'is', null)
      .execute()
    return rows.map(toInstance)
  }

  /** Those in the workspace of this task. */
  async listOn(taskId: TaskId): Promise<Instance[]> {
    const query = this.#q.selectFrom('instances').selectAll().where('task_id', '=', taskId)
    return (await query.where('ended_at', 'is', null).execute()).map(toInstance)
  }

  /** Those that no Runner holds and no lease needs. */
  async listUnheld(now: HubMoment, limit: number): Promise<Instance[]> {
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

  async countStartedSince(time: number, projectId?: ProjectId): Promise<number> {
    const all = this.#q.selectFrom('instances').where('started_at', '>', time)
    const row = await (projectId === undefined ? all : all.where('project_id', '=', projectId))
      .select(eb => eb.fn.countAll<number>().as('n'))
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

  /** By the ticket it was started with, whatever became of it since. */
  async findByTicket(ticketDigest: string): Promise<(Instance & { ticketConnection: string | null }) | undefined> {
    const row = await this.#q
      .selectFrom('instances')
      .selectAll()
      .where('ticket_digest', '=', ticketDigest)
      .executeTakeFirst()
    return row && { ...toInstance(row), ticketConnection: row.ticket_connection }
  }

  /** Not by a range, as in `SessionStore.findTicket`; rows of instances are kept for a day. */
  async findTicket(beginning: string): Promise<string | undefined> {
    const row = await this.#q
      .selectFrom('instances')
      .select('ticket_digest')
      .where(eb => eb(eb.fn('substr', ['ticket_digest', eb.val(1), eb.val(beginning.length)]), '=', beginning))
      .executeTakeFirst()
    return row?.ticket_digest ?? undefined
  }

  async bindTicket(ticketDigest: string, connection: string): Promise<void> {
    const used = this.#q.updateTable('instances').set({ ticket_connection: connection })
    await used.where('ticket_digest', '=', ticketDigest).execute()
  }

  async insert(instance: Instance, ticketDigest: string): Promise<void> {
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
      ticket_digest: ticketDigest,
      ticket_connection: null,
      task_id: instance.taskId,
    }
    await this.#q.insertInto('instances').values(row).execute()
  }

  /** Its Runner spoke of it, and may have said which process it is. */
  async hold(id: InstanceId, until: number, process: ProcessRecord | undefined): Promise<void> {
    const known = process === undefined ? {} : { process: JSON.stringify(process) }
    const held = { held_until: until, supervised: 1, ...known }
    await this.#q.updateTable('instances').set(held).where('id', '=', id).execute()
  }

  async end(id: InstanceId, at: number): Promise<void> {
    await this.#q.updateTable('instances').set({ ended_at: at }).where('id', '=', id).execute()
  }

  async listEndedBefore(time: number, limit: number): Promise<InstanceId[]> {
    const query = this.#q.selectFrom('instances').select('id').where('ended_at', '<', time).orderBy('ended_at')
    return (await query.limit(limit).execute()).map(({ id }) => id)
  }

  async forget(ids: readonly InstanceId[]): Promise<void> {
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
      says_folders: runner.saysFolders ? 1 : 0,
      created_at: runner.createdAt,
      seen_at: runner.seenAt,
      revoked_at: runner.revokedAt,
      made_by: runner.madeBy,
    }
    await this.#q
      .insertInto('runners')
      .values(row)
      .onConflict(oc => oc.column('name').doUpdateSet(row))
      .execute()
  }

  /** Those without a token of their own: their hubs are gone. */
  async forgetUnseenSince(time: number): Promise<void> {
    const gone = await this.#q
      .deleteFrom('runners')
      .where('token_digest', 'is', null)
      .where('seen_at', '<', time)
      .returning('name')
      .execute()
    for (const { name } of gone) await this.#q.deleteFrom('runner_folders').where('runner', '=', name).execute()
  }
}

/** The project folders that each Runner looked for on its machine. */
export class FolderStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<IdentityTables>()
  }

  /** What each of them has looked for, by project; or of one project alone. */
  async seenBy(runners: readonly string[], projectId?: ProjectId): Promise<Map<string, SeenFolders>> {
    const found = new Map<string, SeenFolders>()
    if (runners.length === 0) return found
    let query = this.#q
      .selectFrom('runner_folders')
      .selectAll()
      .where('runner', 'in', [...runners])
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    for (const { runner, project_id, directory, here } of await query.execute()) {
      const own = found.get(runner) ?? new Map<ProjectId, Seen>()
      found.set(runner, own.set(project_id, { directory, here: here === 1 }))
    }
    return found
  }

  /** The directories that it has, by project. */
  async list(runner: string): Promise<Map<string, string>> {
    const found = (await this.#all(runner)).filter(({ here }) => here)
    return new Map(found.map(({ project_id, directory }) => [project_id, directory]))
  }

  /** Writes what has changed; mostly nothing has. */
  async replace(runner: string, folders: readonly SeenFolder[]): Promise<void> {
    const before = await this.#all(runner)
    const [known, wanted] = [new Set(before.map(keyOf)), new Set(folders.map(keyOf))]
    for (const folder of before.filter(one => !wanted.has(keyOf(one))))
      await this.#q
        .deleteFrom('runner_folders')
        .where('runner', '=', runner)
        .where('project_id', '=', folder.project_id)
        .execute()
    for (const { here, ...folder } of folders.filter(one => !known.has(keyOf(one))))
      await this.#q
        .insertInto('runner_folders')
        .values({ runner, ...folder, here: here ? 1 : 0 })
        .execute()
  }

  async #all(runner: string): Promise<SeenFolder[]> {
    const rows = await this.#q
      .selectFrom('runner_folders')
      .select(['project_id', 'directory', 'here'])
      .where('runner', '=', runner)
      .execute()
    return rows.map(row => ({ ...row, here: row.here === 1 }))
  }
}

type Seen = { directory: string; here: boolean }
export type SeenFolders = Map<ProjectId, Seen>

type SeenFolder = ProjectFolder & { here: boolean }

function keyOf({ project_id, directory, here }: SeenFolder): string {
  return JSON.stringify([project_id, directory, here])
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
    taskId: row.task_id,
  }
}

function toRunner(row: Selectable<IdentityTables['runners']>): Runner {
  return {
    name: row.name,
    tokenDigest: row.token_digest,
    engines: row.engines.split(' ').filter(Boolean),
    saysFolders: row.says_folders === 1,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    revokedAt: row.revoked_at,
    madeBy: row.made_by,
  }
}
