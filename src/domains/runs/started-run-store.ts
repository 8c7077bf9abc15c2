import type { ProjectId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { RunTables } from './schema.ts'

export type StartedRun = {
  startedAt: number
  outcome: string | null
  engine: string | null
  facts: string | null
  /** A `RunEnd`. */
  ending: string | null
}

export class StartedRunStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<RunTables>()
  }

  /** Of tasks and of crews, in no order. */
  async between(from: number, to: number, projectId: ProjectId | undefined): Promise<StartedRun[]> {
    let query = this.#q
      .selectFrom('runs')
      .select(['started_at', 'outcome', 'engine', 'facts', 'ending'])
      .where('started_at', '>=', from)
      .where('started_at', '<', to)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    const rows = await query.execute()
    return rows.map(({ started_at, ...run }) => ({ startedAt: started_at ?? 0, ...run }))
  }
}
