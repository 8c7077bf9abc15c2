import type { Selectable } from 'kysely'
import type { ProjectId, TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Files, Sighting, Trust } from './model.ts'
import type { TrustTables } from './schema.ts'

type Place = Pick<Sighting, 'projectId' | 'runner' | 'taskId'>

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

  async findSighting({ projectId, runner, taskId }: Place): Promise<Sighting | undefined> {
    const row = await this.#q
      .selectFrom('sightings')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('runner', '=', runner)
      .where('task_id', '=', taskId ?? '')
      .executeTakeFirst()
    return row && toSighting(row)
  }

  async listSightings(projectId: ProjectId | undefined): Promise<Sighting[]> {
    let query = this.#q.selectFrom('sightings').selectAll()
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    return (await query.orderBy('project_id').orderBy('runner').execute()).map(toSighting)
  }

  async saveSighting({ projectId, runner, taskId, directory, place, seen, at }: Sighting): Promise<void> {
    const files = JSON.stringify(seen.files)
    const facts = { directory, place, remote: seen.remote, files, excess: seen.excess ?? null, at }
    await this.#q
      .insertInto('sightings')
      .values({ project_id: projectId, runner, task_id: taskId ?? '', ...facts })
      .onConflict(c => c.columns(['project_id', 'runner', 'task_id']).doUpdateSet(facts))
      .execute()
  }

  async forgetSighting({ projectId, runner, taskId }: Place): Promise<void> {
    const ofRunner = this.#q.deleteFrom('sightings').where('project_id', '=', projectId).where('runner', '=', runner)
    await ofRunner.where('task_id', '=', taskId ?? '').execute()
  }
}

function toSighting(row: Selectable<TrustTables['sightings']>): Sighting {
  const { remote, excess } = row
  const files = JSON.parse(row.files) as Record<string, string>
  return {
    projectId: row.project_id,
    runner: row.runner,
    taskId: row.task_id === '' ? null : (row.task_id as TaskId),
    directory: row.directory,
    place: row.place,
    seen: { remote, files, ...(excess === null ? {} : { excess }) },
    at: row.at,
  }
}
