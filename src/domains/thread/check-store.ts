import type { ProjectId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Check } from './model.ts'
import type { ThreadTables } from './schema.ts'

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

  async remove(projectId: ProjectId, name: string): Promise<void> {
    await this.#q.deleteFrom('checks').where('project_id', '=', projectId).where('name', '=', name).execute()
  }
}
