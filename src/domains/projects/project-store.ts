// The rows of projects and of who works on them.
import type { Kysely } from 'kysely'
import type { AgentId, ProjectId } from '#contract/id-types.ts'
import type { AcceptPolicy, MergeMethod, WorkspaceMode } from '#contract/projects.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import type { Project } from './model.ts'
import type { ProjectTables } from './schema.ts'

const inDirectory = fixed((q: Kysely<ProjectTables>, values: { real: string; shown: string }) =>
  q
    .selectFrom('projects')
    .selectAll()
    .where('directory', 'in', [values.real, values.shown])
    .orderBy('active', 'desc')
    .orderBy('number'),
)

/** As many folders as most paths have. A longer list is a query of its own. */
const SLOTS = Array.from({ length: 16 }, (_, at) => `folder${at}`)

const inAnyOf = fixed((q: Kysely<ProjectTables>, values: Record<string, string>) =>
  q
    .selectFrom('projects')
    .selectAll()
    .where(
      'directory',
      'in',
      SLOTS.map(slot => values[slot] as string),
    )
    .orderBy('active', 'desc')
    .orderBy('number'),
)

const numbered = fixed((q: Kysely<ProjectTables>, values: { number: number }) =>
  q.selectFrom('projects').selectAll().where('number', '=', values.number),
)

const withId = fixed((q: Kysely<ProjectTables>, values: { id: ProjectId }) =>
  q.selectFrom('projects').selectAll().where('id', '=', values.id),
)

const named = fixed((q: Kysely<ProjectTables>, values: { name: string }) =>
  q
    .selectFrom('projects')
    .select('id')
    .where(eb => eb.or([eb('id', '=', values.name as ProjectId), eb('key', '=', values.name)])),
)

const listAfter = fixed((q: Kysely<ProjectTables>, values: { after: number; limit: number }) =>
  q.selectFrom('projects').selectAll().where('number', '>', values.after).orderBy('number').limit(values.limit),
)

export class ProjectStore {
  readonly #rows: Rows
  readonly #q

  constructor(rows: Rows) {
    this.#rows = rows
    this.#q = rows.tables<ProjectTables>()
  }

  async find(id: ProjectId): Promise<Project | undefined> {
    const [row] = await withId(this.#rows, { id })
    return row && toProject(row)
  }

  async findByNumber(number: number): Promise<Project | undefined> {
    const [row] = await numbered(this.#rows, { number })
    return row && toProject(row)
  }

  async findByName(name: string): Promise<Project | undefined> {
    const row = await this.#q.selectFrom('projects').selectAll().where('name', '=', name).executeTakeFirst()
    return row && toProject(row)
  }

  async findByDirectory([real, shown = real]: readonly string[]): Promise<Project | undefined> {
    if (real === undefined || shown === undefined) return undefined
    const [row] = await inDirectory(this.#rows, { real, shown })
    return row && toProject(row)
  }

  /** Active ones first. */
  async inDirectories(directories: readonly string[]): Promise<Project[]> {
    if (directories.length === 0) return []
    if (directories.length <= SLOTS.length) {
      // No project has an empty folder.
      const filled = Object.fromEntries(SLOTS.map((slot, at) => [slot, directories[at] ?? '']))
      return (await inAnyOf(this.#rows, filled)).map(toProject)
    }
    const query = this.#q.selectFrom('projects').selectAll().where('directory', 'in', directories)
    return (await query.orderBy('active', 'desc').orderBy('number').execute()).map(toProject)
  }

  /** Of the active ones that have one, in a fixed order. */
  listFolders(): Promise<{ project_id: ProjectId; directory: string }[]> {
    return this.#q
      .selectFrom('projects')
      .select(['id as project_id', 'directory'])
      .where('active', '=', 1)
      .where('directory', 'is not', null)
      .orderBy('number')
      .$narrowType<{ directory: string }>()
      .execute()
  }

  async list(after: number, limit: number, onlyActive = false): Promise<Project[]> {
    if (!onlyActive) return (await listAfter(this.#rows, { after, limit })).map(toProject)
    const query = this.#q.selectFrom('projects').selectAll().where('number', '>', after).where('active', '=', 1)
    return (await query.orderBy('number').limit(limit).execute()).map(toProject)
  }

  async namesOf(ids: readonly ProjectId[]): Promise<Map<ProjectId, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#q.selectFrom('projects').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  }

  async insert(project: Omit<Project, 'number'>): Promise<Project> {
    const { active, createdAt, asanaUrl, reviewerId, ...rest } = project
    const values = {
      ...rest,
      active: active ? 1 : 0,
      created_at: createdAt,
      asana_url: asanaUrl,
      reviewer_id: reviewerId,
      last_task: 0,
    }
    const row = await this.#q
      .insertInto('projects')
      // The number is the database's to give.
      .values(values as typeof values & { number: number })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toProject(row)
  }

  /** The next number of its tasks. */
  async nextTask(id: ProjectId): Promise<number> {
    const { last_task } = await this.#q
      .updateTable('projects')
      .set(eb => ({ last_task: eb('last_task', '+', 1) }))
      .where('id', '=', id)
      .returning('last_task')
      .executeTakeFirstOrThrow()
    return last_task
  }

  /** By what people may call each of them. */
  allNames(): Promise<{ id: ProjectId; key: string | null; name: string }[]> {
    return this.#q.selectFrom('projects').select(['id', 'key', 'name']).execute()
  }

  /** The one whose id it is, else the one whose key. */
  async idNamed(name: string): Promise<ProjectId | undefined> {
    const rows = await named(this.#rows, { name })
    return (rows.find(({ id }) => id === name) ?? rows[0])?.id
  }

  async edit({ id, key, name, description, asanaUrl, reviewerId, ...project }: Project): Promise<void> {
    const { workspace, base, accept, merge } = project
    const settings = { workspace, base, accept, reviewer_id: reviewerId, merge }
    const changes = { key, name, description, asana_url: asanaUrl, ...settings }
    await this.#q.updateTable('projects').set(changes).where('id', '=', id).execute()
  }

  async setActive(id: ProjectId, active: boolean): Promise<void> {
    await this.#q
      .updateTable('projects')
      .set({ active: active ? 1 : 0 })
      .where('id', '=', id)
      .execute()
  }

  async isAssigned(projectId: ProjectId, agentId: AgentId): Promise<boolean> {
    const row = await this.#q
      .selectFrom('project_agents')
      .select('at')
      .where('project_id', '=', projectId)
      .where('agent_id', '=', agentId)
      .executeTakeFirst()
    return row !== undefined
  }

  async assign(projectId: ProjectId, agentId: AgentId, at: number): Promise<void> {
    await this.#q.insertInto('project_agents').values({ project_id: projectId, agent_id: agentId, at }).execute()
  }

  async unassign(projectId: ProjectId, agentId: AgentId): Promise<void> {
    await this.#q
      .deleteFrom('project_agents')
      .where('project_id', '=', projectId)
      .where('agent_id', '=', agentId)
      .execute()
  }

  async agentsOf(projectId: ProjectId): Promise<AgentId[]> {
    const rows = await this.#q
      .selectFrom('project_agents')
      .select('agent_id')
      .where('project_id', '=', projectId)
      .orderBy('agent_id')
      .execute()
    return rows.map(row => row.agent_id)
  }

  /** The members of many projects, in one query: project → agents. */
  async membersOf(projectIds: readonly ProjectId[]): Promise<Map<ProjectId, AgentId[]>> {
    const members = new Map<ProjectId, AgentId[]>(projectIds.map(id => [id, []]))
    if (projectIds.length === 0) return members
    const rows = await this.#q
      .selectFrom('project_agents')
      .select(['project_id', 'agent_id'])
      .where('project_id', 'in', projectIds)
      .orderBy('agent_id')
      .execute()
    for (const row of rows) members.get(row.project_id)?.push(row.agent_id)
    return members
  }

  async projectsOf(agentId: AgentId): Promise<ProjectId[]> {
    const rows = await this.#q
      .selectFrom('project_agents')
      .select('project_id')
      .where('agent_id', '=', agentId)
      .orderBy('project_id')
      .execute()
    return rows.map(row => row.project_id)
  }
}

function toProject(row: ProjectTables['projects']): Project {
  const { number, id, name, description, directory, asana_url, active, created_at, base } = row
  return {
    number,
    id,
    key: row.key ?? `p${number}`,
    name,
    description,
    directory,
    asanaUrl: asana_url,
    active: active === 1,
    workspace: row.workspace as WorkspaceMode,
    base,
    accept: row.accept as AcceptPolicy,
    reviewerId: row.reviewer_id,
    merge: row.merge as MergeMethod,
    createdAt: created_at,
  }
}
