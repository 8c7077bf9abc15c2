import type { CrewMode } from '#contract/crews.ts'
import type { CrewId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Crew, OnFailure } from './crew-model.ts'
import type { CrewTables } from './crew-schema.ts'

type Row = CrewTables['crews']

export class CrewStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<CrewTables>()
  }

  async find(id: CrewId): Promise<Crew | undefined> {
    const row = await this.#q.selectFrom('crews').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toCrew(row)
  }

  async findMany(ids: readonly CrewId[]): Promise<Crew[]> {
    if (ids.length === 0) return []
    return (await this.#q.selectFrom('crews').selectAll().where('id', 'in', ids).execute()).map(toCrew)
  }

  /** Newest first: ids begin with the time, and those of one second follow in some order. */
  async list(before: { createdAt: number; id: CrewId } | undefined, limit: number): Promise<Crew[]> {
    let query = this.#q.selectFrom('crews').selectAll()
    if (before)
      query = query.where(eb =>
        eb.or([
          eb('created_at', '<', before.createdAt),
          eb.and([eb('created_at', '=', before.createdAt), eb('id', '<', before.id)]),
        ]),
      )
    const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    return rows.map(toCrew)
  }

  async insert(crew: Crew): Promise<void> {
    await this.#q.insertInto('crews').values(toRow(crew)).execute()
  }

  async save(crew: Crew): Promise<void> {
    await this.#q.updateTable('crews').set(toRow(crew)).where('id', '=', crew.id).execute()
  }
}

function toCrew(row: Row): Crew {
  return {
    id: row.id,
    description: row.description,
    mode: row.mode as CrewMode,
    projectId: row.project_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    plans: row.plans,
    onFailure: row.on_failure as OnFailure,
  }
}

function toRow(crew: Crew): Row {
  return {
    id: crew.id,
    description: crew.description,
    mode: crew.mode,
    project_id: crew.projectId,
    created_by: crew.createdBy,
    created_at: crew.createdAt,
    deleted_at: crew.deletedAt,
    plans: crew.plans,
    on_failure: crew.onFailure,
  }
}
