import type { Selectable } from 'kysely'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import type { OverlapKind } from '#contract/thread.ts'
import type { Rows } from '#kernel/db/db.ts'
import { keyOf, type Overlap } from './overlap-model.ts'
import type { ThreadTables } from './schema.ts'

type Row = ThreadTables['overlaps']

export class OverlapStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ThreadTables>()
  }

  /** Also those that are gone. */
  async listAt(home: string): Promise<Overlap[]> {
    return (await this.#q.selectFrom('overlaps').selectAll().where('home', '=', home).execute()).map(toOverlap)
  }

  async listNow(filter: { projectId?: ProjectId | undefined; worktreeId?: WorktreeId }): Promise<Overlap[]> {
    const { projectId, worktreeId } = filter
    let query = this.#q.selectFrom('overlaps').selectAll().where('gone_at', 'is', null)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    if (worktreeId !== undefined)
      query = query.where(eb => eb.or([eb('a_worktree', '=', worktreeId), eb('b_worktree', '=', worktreeId)]))
    return (await query.orderBy('pair').execute()).map(toOverlap)
  }

  async save(overlap: Overlap): Promise<void> {
    const { pair, ...rest } = toRow(overlap)
    await this.#q
      .insertInto('overlaps')
      .values({ pair, ...rest })
      .onConflict(c => c.column('pair').doUpdateSet(rest))
      .execute()
  }

  async delete(overlap: Overlap): Promise<void> {
    await this.#q.deleteFrom('overlaps').where('pair', '=', keyOf(overlap)).execute()
  }
}

function toRow(overlap: Overlap): Row {
  const { home, projectId, kind, a, b, files, at, goneAt } = overlap
  return {
    pair: keyOf(overlap),
    home,
    project_id: projectId,
    kind,
    a_worktree: a.worktreeId,
    a_task: a.taskId,
    a_tab: a.tabId,
    b_worktree: b.worktreeId,
    b_task: b.taskId,
    b_tab: b.tabId,
    files: JSON.stringify(files),
    at,
    gone_at: goneAt,
  }
}

function toOverlap(row: Selectable<Row>): Overlap {
  return {
    home: row.home,
    projectId: row.project_id,
    kind: row.kind as OverlapKind,
    a: { worktreeId: row.a_worktree, taskId: row.a_task, tabId: row.a_tab },
    b: { worktreeId: row.b_worktree, taskId: row.b_task, tabId: row.b_tab },
    files: JSON.parse(row.files) as string[],
    at: row.at,
    goneAt: row.gone_at,
  }
}
