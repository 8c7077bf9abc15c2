import type { ProjectId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Check } from './model.ts'
import type { ThreadTables } from './schema.ts'

/** Of before it was kept where a command was looked at. A machine's own word counts more. */
const EVERYWHERE = '*'

export class CheckStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  /** In the order in which they were added. */
  async list(projectId: ProjectId): Promise<Check[]> {
    const rows = await this.#q
      .selectFrom('checks')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('position')
      .execute()
    return rows.map(row => ({
      name: row.name,
      command: JSON.parse(row.command) as string[],
      required: row.required === 1,
      minutes: row.minutes,
      source: row.source as Check['source'],
    }))
  }

  async find(projectId: ProjectId, name: string): Promise<Check | undefined> {
    return (await this.list(projectId)).find(check => check.name === name)
  }

  /** In the place of the one with this name, else behind all others. */
  async save(projectId: ProjectId, { name, command, required, minutes, source }: Check, at: number): Promise<void> {
    const last = await this.#q
      .selectFrom('checks')
      .select(eb => eb.fn.max('position').as('position'))
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    const values = { command: JSON.stringify(command), required: required ? 1 : 0, minutes, source, at }
    await this.#q
      .insertInto('checks')
      .values({ project_id: projectId, name, position: Number(last?.position ?? 0) + 1, ...values })
      .onConflict(c => c.columns(['project_id', 'name']).doUpdateSet(values))
      .execute()
  }

  /** Name → the command that was looked at on this machine. */
  async sights(projectId: ProjectId, machine: string): Promise<Map<string, string[]>> {
    const query = this.#q.selectFrom('check_sights').selectAll().where('project_id', '=', projectId)
    const rows = await query.where('machine', 'in', [machine, EVERYWHERE]).execute()
    const own = rows.toSorted((a, b) => Number(a.machine === machine) - Number(b.machine === machine))
    return new Map(own.map(({ name, command }) => [name, JSON.parse(command) as string[]]))
  }

  async saw(projectId: ProjectId, machine: string, { name, command }: Check, at: number): Promise<void> {
    const values = { command: JSON.stringify(command), at }
    await this.#q
      .insertInto('check_sights')
      .values({ machine, project_id: projectId, name, ...values })
      .onConflict(c => c.columns(['machine', 'project_id', 'name']).doUpdateSet(values))
      .execute()
  }

  /** Projects with a check whose command nobody has looked at on this machine. */
  async projectsUnseenOn(machine: string, limit: number): Promise<ProjectId[]> {
    const rows = await this.#q
      .selectFrom('checks')
      .select('checks.project_id')
      .distinct()
      .where(eb =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('check_sights')
              .select('check_sights.name')
              .whereRef('check_sights.project_id', '=', 'checks.project_id')
              .whereRef('check_sights.name', '=', 'checks.name')
              .whereRef('check_sights.command', '=', 'checks.command')
              .where('check_sights.machine', 'in', [machine, EVERYWHERE]),
          ),
        ),
      )
      .orderBy('checks.project_id')
      .limit(limit)
      .execute()
    return rows.map(row => row.project_id)
  }

  async remove(projectId: ProjectId, name: string): Promise<void> {
    await this.#q.deleteFrom('checks').where('project_id', '=', projectId).where('name', '=', name).execute()
  }
}
