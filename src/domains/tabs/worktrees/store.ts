import { type Selectable, sql } from 'kysely'
import type { ProjectId, WorktreeId } from '#contract/id-types.ts'
import { WorktreeError, type WorktreeState } from '#contract/worktrees.ts'
import type { Rows } from '#kernel/db/db.ts'
import type { Setup, Worktree } from './model.ts'
import type { WorktreeTables } from './schema.ts'

type Row = WorktreeTables['worktrees']

export type WorktreeFilter = {
  home?: string
  projectId?: ProjectId | undefined
  branch?: string | undefined
  states?: readonly WorktreeState[] | undefined
}

const PRESENT: readonly WorktreeState[] = ['creating', 'ready', 'removing', 'restoring']

export class WorktreeStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<WorktreeTables>()
  }

  async find(id: WorktreeId): Promise<Worktree | undefined> {
    const row = await this.#q.selectFrom('worktrees').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toWorktree(row)
  }

  async get(id: WorktreeId): Promise<Worktree> {
    const worktree = await this.find(id)
    if (!worktree) throw WorktreeError.WORKTREE_NOT_FOUND({ worktreeId: id })
    return worktree
  }

  async findAt(home: string, path: string): Promise<Worktree | undefined> {
    const row = await this.#q
      .selectFrom('worktrees')
      .selectAll()
      .where('home', '=', home)
      .where('path', '=', path)
      .where('state', 'in', PRESENT)
      .executeTakeFirst()
    return row && toWorktree(row)
  }

  async isOnSeveral(projectId: ProjectId): Promise<boolean> {
    // Each is one step in an index, however many worktrees there were.
    const { rows } = await sql<{ several: number }>`SELECT CASE
      WHEN (SELECT MIN(home) FROM worktrees WHERE project_id = ${projectId}) <> (SELECT MAX(home) FROM worktrees WHERE project_id = ${projectId})
      THEN 1 ELSE 0 END AS several`.execute(this.#q)
    return Number(rows[0]?.several) === 1
  }

  /** The newest of each home, of projects that are worked on in several. */
  async listOnSeveral(): Promise<{ projectId: ProjectId; home: string; worktreeId: WorktreeId }[]> {
    const rows = await this.#q
      .selectFrom('worktrees')
      .select(['project_id', 'home', eb => eb.fn.max('id').as('id')])
      .where('state', 'in', ['creating', 'ready'])
      .groupBy(['project_id', 'home'])
      .orderBy('project_id')
      .orderBy('home')
      .execute()
    const count = new Map<ProjectId, number>()
    for (const { project_id } of rows) count.set(project_id, (count.get(project_id) ?? 0) + 1)
    return rows
      .filter(({ project_id }) => (count.get(project_id) ?? 0) > 1)
      .map(({ project_id, home, id }) => ({ projectId: project_id, home, worktreeId: id }))
  }

  /** Newest first. */
  async list(filter: WorktreeFilter, before: string | undefined, limit: number): Promise<Worktree[]> {
    let query = this.#q.selectFrom('worktrees').selectAll()
    if (filter.home !== undefined) query = query.where('home', '=', filter.home)
    if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId)
    if (filter.branch !== undefined) query = query.where('branch', '=', filter.branch)
    if (filter.states) query = query.where('state', 'in', filter.states)
    if (before !== undefined) query = query.where('id', '<', before as WorktreeId)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toWorktree)
  }

  /** Setups that run, on whichever machine. */
  async listSettingUp(): Promise<Setup[]> {
    const rows = await this.#q
      .selectFrom('worktrees')
      .select('setup')
      .where('state', '=', 'ready')
      .where('setup', 'like', '%"state":"running"%')
      .execute()
    // A command may contain these words, too.
    return rows.map(({ setup }) => JSON.parse(setup) as Setup).filter(({ state }) => state === 'running')
  }

  /** What has been due for `lastingMs` of observed time, at this look and at an earlier one; and whose deletion has begun. */
  async due(home: string, now: number, observed: number, lastingMs: number, limit: number): Promise<Worktree[]> {
    const rows = await this.#q
      .selectFrom('worktrees')
      .selectAll()
      .where('home', '=', home)
      .where(eb =>
        eb.or([
          eb('state', '=', 'purging'),
          eb.and([eb('state', '=', 'trashed'), eb('purge_at', '<=', now), eb('due_seen', '<=', observed - lastingMs)]),
        ]),
      )
      .orderBy('purge_at')
      .limit(limit)
      .execute()
    return rows.map(toWorktree)
  }

  /** Those of which this look says something else than the last one: due by now, or no longer. */
  async listTurned(home: string, now: number, observed: number): Promise<{ id: WorktreeId; due: boolean }[]> {
    const rows = await this.#q
      .selectFrom('worktrees')
      .select(['id', 'purge_at'])
      .where('home', '=', home)
      .where('state', '=', 'trashed')
      .where(eb =>
        eb.or([
          eb.and([eb('purge_at', '<=', now), eb.or([eb('due_seen', 'is', null), eb('due_seen', '>', observed)])]),
          eb.and([eb('purge_at', '>', now), eb('due_seen', 'is not', null)]),
        ]),
      )
      .execute()
    return rows.map(({ id, purge_at }) => ({ id, due: (purge_at ?? now) <= now }))
  }

  async noteDue(id: WorktreeId, seen: number | null): Promise<void> {
    const trashed = this.#q.updateTable('worktrees').set({ due_seen: seen }).where('state', '=', 'trashed')
    await trashed.where('id', '=', id).execute()
  }

  async forgetLooks(): Promise<void> {
    await this.#q.updateTable('worktrees').set({ due_seen: null }).where('due_seen', 'is not', null).execute()
  }

  async insert(worktree: Worktree): Promise<void> {
    await this.#q.insertInto('worktrees').values(toRow(worktree)).execute()
  }

  /** False when it is no longer in the state that it was seen in. */
  async replace(from: WorktreeState, worktree: Worktree): Promise<boolean> {
    const { id, ...changes } = toRow(worktree)
    const { numUpdatedRows } = await this.#q
      .updateTable('worktrees')
      .set(changes)
      .where('id', '=', id)
      .where('state', '=', from)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  /** Whether this very command was looked at on this machine. */
  async isSetupTrusted(projectId: ProjectId, machine: string, command: readonly string[]): Promise<boolean> {
    const row = await this.#q
      .selectFrom('worktree_setups')
      .select('command')
      .where('project_id', '=', projectId)
      .where('machine', 'in', [machine, '*'])
      .where('command', '=', JSON.stringify(command))
      .executeTakeFirst()
    return row !== undefined
  }

  /** Projects with a command that was allowed on another machine and is not allowed on this one. */
  async setupsElsewhere(machine: string, limit: number): Promise<ProjectId[]> {
    const rows = await this.#q
      .selectFrom('worktree_setups')
      .select('project_id')
      .distinct()
      .where('machine', 'not in', [machine, '*'])
      .orderBy('project_id')
      .limit(limit)
      .execute()
    return rows.map(row => row.project_id)
  }

  async trustSetup(projectId: ProjectId, machine: string, command: readonly string[], at: number): Promise<void> {
    const row = { machine, project_id: projectId, command: JSON.stringify(command), at }
    await this.#q
      .insertInto('worktree_setups')
      .values(row)
      .onConflict(c => c.columns(['machine', 'project_id']).doUpdateSet({ command: row.command, at }))
      .execute()
  }
}

function toRow(worktree: Worktree): Row {
  return {
    id: worktree.id,
    project_id: worktree.projectId,
    home: worktree.home,
    repository: worktree.repository,
    object_format: worktree.objectFormat,
    git_dir: worktree.gitDir,
    path: worktree.path,
    device: worktree.device,
    inode: worktree.inode,
    branch: worktree.branch,
    base_ref: worktree.baseRef,
    base_commit: worktree.baseCommit,
    own: worktree.own ? 1 : 0,
    made_branch: worktree.madeBranch ? 1 : 0,
    state: worktree.state,
    head: worktree.head,
    setup: JSON.stringify(worktree.setup),
    lfs_missing: worktree.lfsMissing,
    drivers: JSON.stringify(worktree.drivers),
    copied: worktree.copied,
    created_at: worktree.createdAt,
    trashed_at: worktree.trashedAt,
    purge_at: worktree.purgeAt,
    // Whatever changes it, the looks begin again.
    due_seen: null,
  }
}

function toWorktree(row: Selectable<Row>): Worktree {
  return {
    id: row.id,
    projectId: row.project_id,
    home: row.home,
    repository: row.repository,
    objectFormat: row.object_format as Worktree['objectFormat'],
    gitDir: row.git_dir,
    path: row.path,
    device: row.device,
    inode: row.inode,
    branch: row.branch,
    baseRef: row.base_ref,
    baseCommit: row.base_commit,
    own: row.own === 1,
    madeBranch: row.made_branch === 1,
    state: row.state as WorktreeState,
    head: row.head,
    setup: setupOf(row.setup),
    lfsMissing: row.lfs_missing,
    drivers: JSON.parse(row.drivers) as string[],
    copied: row.copied,
    createdAt: row.created_at,
    trashedAt: row.trashed_at,
    purgeAt: row.purge_at,
  }
}

/** Rows of before have a sentence. */
function setupOf(stored: string): Setup {
  const { error, ...setup } = JSON.parse(stored) as Omit<Setup, 'error'> & { error: Setup['error'] | string }
  return { ...setup, error: typeof error === 'string' ? { kind: 'said', text: error } : error }
}
