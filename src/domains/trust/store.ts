import type { Selectable } from 'kysely'
import type { ProjectId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Files, Sighting, Trust } from './model.ts'
import type { TrustTables } from './schema.ts'

export class TrustStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<TrustTables>()
  }

  async list(directory: string, remote: string): Promise<Trust[]> {
    const rows = await this.#q
      .selectFrom('trusts')
      .selectAll()
      .where('directory', '=', directory)
      .where('remote', '=', remote)
      .execute()
    return rows.map(row => ({
      directory: row.directory,
      remote: row.remote,
      hash: row.hash,
      files: JSON.parse(row.files) as Files,
      by: row.trusted_by,
      at: row.at,
    }))
  }

  async save({ directory, remote, hash, files, by, at }: Trust): Promise<void> {
    const row = { directory, remote, hash, files: JSON.stringify(files), trusted_by: by, at }
    await this.#q
      .insertInto('trusts')
      .values(row)
      .onConflict(c => c.columns(['directory', 'remote', 'hash']).doUpdateSet({ trusted_by: by, at }))
      .execute()
  }

  async findSighting(projectId: ProjectId, runner: string): Promise<Sighting | undefined> {
    const row = await this.#q
      .selectFrom('sightings')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('runner', '=', runner)
      .executeTakeFirst()
    return row && toSighting(row)
  }

  async listSightings(projectId: ProjectId | undefined): Promise<Sighting[]> {
    let query = this.#q.selectFrom('sightings').selectAll()
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    return (await query.orderBy('project_id').orderBy('runner').execute()).map(toSighting)
  }

  async saveSighting({ projectId, runner, directory, place, seen, at }: Sighting): Promise<void> {
    const files = JSON.stringify(seen.files)
    const facts = { directory, place, remote: seen.remote, files, excess: seen.excess ?? null, at }
    await this.#q
      .insertInto('sightings')
      .values({ project_id: projectId, runner, ...facts })
      .onConflict(c => c.columns(['project_id', 'runner']).doUpdateSet(facts))
      .execute()
  }

  async forgetSighting(projectId: ProjectId, runner: string): Promise<void> {
    await this.#q.deleteFrom('sightings').where('project_id', '=', projectId).where('runner', '=', runner).execute()
  }
}

function toSighting(row: Selectable<TrustTables['sightings']>): Sighting {
  const { remote, excess } = row
  const files = JSON.parse(row.files) as Record<string, string>
  return {
    projectId: row.project_id,
    runner: row.runner,
    directory: row.directory,
    place: row.place,
    seen: { remote, files, ...(excess === null ? {} : { excess }) },
    at: row.at,
  }
}
