import { sql } from 'kysely'
import type { ProjectId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { RunTables } from './schema.ts'

export type StartedRun = {
  startedAt: number
  outcome: string | null
  /** What an agent on a task reported. */
  result: string | null
  engine: string | null
  facts: string | null
  /** A `RunEnd`. */
  ending: string | null
}

const PAGE = 50

export class StartedRunStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<RunTables>()
  }

  /** Of tasks and of crews, from the first on. In pages: with SQLite nothing else happens in the hub while one is read. */
  async *between(from: number, to: number, projectId: ProjectId | undefined): AsyncGenerator<StartedRun[]> {
    let after = { started_at: from, id: '' }
    for (;;) {
      let query = this.#q
        .selectFrom('runs')
        .select(['id', 'started_at', 'outcome', 'result', 'engine', 'facts', 'ending'])
        .where(sql<boolean>`(started_at, id) > (${after.started_at}, ${after.id})`)
        .where('started_at', '<', to)
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      const rows = await query.orderBy('started_at').orderBy('id').limit(PAGE).execute()
      yield rows.map(({ started_at, ...run }) => ({ startedAt: started_at ?? 0, ...run }))
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return
      after = { started_at: last.started_at ?? 0, id: last.id }
    }
  }
}
