import type { AcceptPolicy, MergeMethod, Priority, TaskStatus, WorkspaceMode } from '#contract/projects.ts'
import { handleOf, readHandle, type Stage } from '#contract/projects.ts'
import { PRIORITIES } from '#contract/task-values.ts'
import { type Kysely, sql } from 'kysely'
import type { AgentId, HandoffId, ProjectId, TaskId } from '#contract/id-types.ts'
import { placeOf } from '#contract/task-order.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import { fold } from '#kernel/search/fold.ts'
import {
  CLOSED,
  type Handoff,
  handoffStatus,
  labelled,
  type Note,
  type Project,
  searched,
  type Task,
  type TaskAnswer,
} from './model.ts'
import type { ProjectTables } from './schema.ts'
import { hasLabel, holds, isInStage, WAITS } from './task-conditions.ts'

const inDirectory = fixed((q: Kysely<ProjectTables>, values: { real: string; shown: string }) =>
  q
    .selectFrom('projects')
    .selectAll()
    .where('directory', 'in', [values.real, values.shown])
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

export type TaskFilter = {
  projectId?: ProjectId | undefined
  status?: TaskStatus | undefined
  assigneeId?: AgentId | undefined
  stage?: Stage | undefined
  /** However it is written. */
  label?: string | undefined
  /** In title, description, handle or a label. */
  search?: string | undefined
  ids?: readonly TaskId[] | undefined
  /** Of those that are closed, only what changed since. */
  closedSince?: number | undefined
}
/** Where a page of tasks ended. */
export type TaskCursor = { createdAt: number; id: TaskId }

type TaskRow = ProjectTables['tasks'] & {
  project_key: string | null
  waits: number
  needs: string | null
  labels: string | null
}

/** What an agent may be started for: nothing that it depends on is missing, and nothing is reported already. */
export const IS_READY = sql<boolean>`(tasks.reported_at IS NULL AND NOT ${WAITS})`

/** With what its handle and its stage are made of. */
export function selectTasks(q: Kysely<ProjectTables>) {
  return (
    q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .selectAll('tasks')
      .select('projects.key as project_key')
      .select([
        sql<number>`CASE WHEN ${WAITS} THEN 1 ELSE 0 END`.as('waits'),
        sql<string | null>`(SELECT string_agg(depends_on, ' ') FROM task_links WHERE task_links.task_id = tasks.id)`.as(
          'needs',
        ),
      ])
      // No label has a line break.
      .select(
        sql<string | null>`(SELECT string_agg(task_labels.label, ${sql.lit('\n')}) FROM task_labels
        WHERE task_labels.task_id = tasks.id)`.as('labels'),
      )
  )
}

const selectTask = fixed((q: Kysely<ProjectTables>, value: { id: TaskId }) =>
  selectTasks(q).where('tasks.id', '=', value.id),
)
const withHandle = fixed((q: Kysely<ProjectTables>, value: { key: string; number: number }) =>
  q
    .selectFrom('projects')
    .innerJoin('tasks', 'tasks.project_id', 'projects.id')
    .select('tasks.id')
    .where('projects.key', '=', value.key)
    .where('tasks.number', '=', value.number),
)
const insertNote = fixed((q: Kysely<ProjectTables>, value: ProjectTables['notes']) => {
  const { id, task_id, agent_id, progress, findings, blockers, next_steps, at, person } = value
  return q.insertInto('notes').values({ id, task_id, agent_id, progress, findings, blockers, next_steps, at, person })
})

export class TaskStore {
  readonly #rows
  readonly #q

  constructor(rows: Rows) {
    this.#rows = rows
    this.#q = rows.tables<ProjectTables>()
  }

  async find(id: TaskId): Promise<Task | undefined> {
    const [row] = await selectTask(this.#rows, { id })
    return row && toTask(row)
  }

  async idWithHandle(handle: string): Promise<TaskId | undefined> {
    const read = readHandle(handle)
    return read && (await withHandle(this.#rows, read))[0]?.id
  }

  /** Oldest first. */
  async list(filter: TaskFilter, after: TaskCursor | undefined, limit: number): Promise<Task[]> {
    let query = selectTasks(this.#q)
    if (filter.projectId !== undefined) query = query.where('tasks.project_id', '=', filter.projectId)
    if (filter.status !== undefined) query = query.where('tasks.status', '=', filter.status)
    if (filter.assigneeId !== undefined) query = query.where('tasks.assignee_id', '=', filter.assigneeId)
    if (filter.stage !== undefined) query = query.where(isInStage(filter.stage))
    if (filter.label !== undefined) query = query.where(hasLabel(fold(filter.label)))
    if (filter.search !== undefined) query = query.where(holds(fold(filter.search)))
    if (filter.ids !== undefined) query = query.where('tasks.id', 'in', [...filter.ids])
    const { closedSince } = filter
    if (closedSince !== undefined)
      query = query.where(eb =>
        eb.or([eb('tasks.status', 'not in', CLOSED), eb('tasks.updated_at', '>=', closedSince)]),
      )
    if (after)
      query = query.where(eb =>
        eb(eb.refTuple('tasks.created_at', 'tasks.id'), '>', eb.tuple(after.createdAt, after.id)),
      )
    const rows = await query.orderBy('tasks.created_at').orderBy('tasks.id').limit(limit).execute()
    return rows.map(toTask)
  }

  /** Those of these projects that have this status, each with its place, from the top. */
  async column(status: TaskStatus, projectIds: readonly ProjectId[]): Promise<{ id: TaskId; place: number }[]> {
    const rows = await this.#q
      .selectFrom('tasks')
      .select(['id', 'priority', 'number', 'rank', 'ranked_in'])
      .where('status', '=', status)
      .where('project_id', 'in', [...projectIds])
      .execute()
    return rows
      .map(({ id, priority, number, rank, ranked_in }) => ({
        id,
        place: placeOf({
          ...{ priority: priority as Priority, number: number ?? 0 },
          rank: ranked_in === status ? rank : null,
        }),
      }))
      .sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1))
  }

  async saveRank(id: TaskId, rank: number, status: TaskStatus): Promise<void> {
    await this.#q.updateTable('tasks').set({ rank, ranked_in: status }).where('id', '=', id).execute()
  }

  /** Task → how many open ones depend on it. */
  async countHeldUp(ids: readonly TaskId[]): Promise<Map<TaskId, number>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#q
      .selectFrom('task_links')
      .innerJoin('tasks', 'tasks.id', 'task_links.task_id')
      .select(['task_links.depends_on', eb => eb.fn.countAll<number>().as('count')])
      .where('task_links.depends_on', 'in', [...ids])
      .where('tasks.status', 'not in', CLOSED)
      .groupBy('task_links.depends_on')
      .execute()
    return new Map(rows.map(row => [row.depends_on, Number(row.count)]))
  }

  async insertAnswer({ taskId, ...rest }: TaskAnswer): Promise<void> {
    await this.#q
      .insertInto('task_answers')
      .values({ ...rest, task_id: taskId })
      .execute()
  }

  /** Newest first. */
  async answers(taskId: TaskId, limit: number): Promise<TaskAnswer[]> {
    const query = this.#q.selectFrom('task_answers').selectAll().where('task_id', '=', taskId)
    const rows = await query.orderBy('id', 'desc').limit(limit).execute()
    return rows.map(({ task_id, ...rest }) => ({ ...rest, taskId: task_id }))
  }

  /** Agents with work to be started for, and where. */
  async listDue(limit: number): Promise<{ agentId: AgentId; projectId: ProjectId }[]> {
    const rows = await this.#q
      .selectFrom('tasks')
      .select(['assignee_id', 'project_id'])
      .distinct()
      .where('status', '=', 'in_progress')
      .where('assignee_id', 'is not', null)
      .where(IS_READY)
      .orderBy('project_id')
      .orderBy('assignee_id')
      .limit(limit)
      .execute()
    return rows.map(row => ({ agentId: (row.assignee_id ?? '') as AgentId, projectId: row.project_id }))
  }

  /** What the agent should work on: the most urgent first, then the oldest. */
  async listWork(
    projectId: ProjectId,
    agentId: AgentId,
    statuses: readonly TaskStatus[],
    limit: number,
    skip: number,
  ): Promise<Task[]> {
    const rank = sql`CASE tasks.priority ${sql.join(
      PRIORITIES.map((priority, index) => sql`WHEN ${sql.lit(priority)} THEN ${sql.lit(index)}`),
      sql` `,
    )} END`
    const rows = await selectTasks(this.#q)
      .where('tasks.assignee_id', '=', agentId)
      .where('tasks.project_id', '=', projectId)
      .where('tasks.status', 'in', statuses)
      .where(IS_READY)
      .orderBy(rank)
      .orderBy('tasks.created_at')
      .orderBy('tasks.id')
      .limit(limit)
      .offset(skip)
      .execute()
    return rows.map(toTask)
  }

  /** Agents with a task in one of these statuses, where they could be started for it: in projects that are active and have a folder. */
  async listPairs(
    statuses: readonly TaskStatus[],
  ): Promise<{ agentId: AgentId; projectId: ProjectId; directory: string; workspace: boolean }[]> {
    const rows = await this.#q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .innerJoin('project_agents', join =>
        join
          .onRef('project_agents.project_id', '=', 'tasks.project_id')
          .onRef('project_agents.agent_id', '=', 'tasks.assignee_id'),
      )
      .select(['projects.number', 'projects.id', 'projects.directory', 'projects.workspace', 'project_agents.agent_id'])
      .distinct()
      .where('tasks.status', 'in', statuses)
      .where(IS_READY)
      .where('projects.active', '=', 1)
      .where('projects.directory', 'is not', null)
      .orderBy('projects.number')
      .orderBy('project_agents.agent_id')
      .execute()
    return rows.map(row => ({
      agentId: row.agent_id,
      projectId: row.id,
      directory: row.directory ?? '',
      workspace: row.workspace === 'task',
    }))
  }

  /** Newest first: those that people speak of. */
  async handlesStartingWith(prefix: string, limit: number, projectId?: ProjectId): Promise<string[]> {
    const [whole, key = '', digits] = /^([a-z][a-z0-9]{0,15})?(?:-(\d{0,9}))?$/.exec(prefix) ?? []
    if (whole === undefined) return []
    let query = this.#q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .select(['projects.key', 'tasks.number'])
      .where('projects.key', 'is not', null)
      .where('tasks.number', 'is not', null)
    if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId)
    query =
      digits === undefined
        ? query.where('projects.key', 'like', `${key}%`)
        : query.where('projects.key', '=', key).where(sql<boolean>`CAST(tasks.number AS TEXT) LIKE ${`${digits}%`}`)
    const rows = await query.orderBy('tasks.created_at', 'desc').orderBy('tasks.id', 'desc').limit(limit).execute()
    return rows.map(row => handleOf(row.key ?? '', row.number ?? 0))
  }

  async idsStartingWith(prefix: string, limit: number, projectId?: ProjectId): Promise<string[]> {
    let query = this.#q
      .selectFrom('tasks')
      .select('id')
      .where('id', '>=', prefix as TaskId)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map(row => row.id).filter(id => id.startsWith(prefix))
  }

  async insert(task: Task): Promise<void> {
    await this.#q
      .insertInto('tasks')
      .values({ ...toTaskRow(task), folded: searched(task), made_by: null, rank: null, ranked_in: null })
      .execute()
    await this.#addLabels(task.id, task.labels)
  }

  /** With what it is found by, which no other change touches. */
  async saveEdited(task: Task): Promise<void> {
    const row = { ...toTaskRow(task), folded: searched(task) }
    await this.#q.updateTable('tasks').set(row).where('id', '=', task.id).execute()
    await this.#setLabels(task.id, task.labels)
  }

  async #setLabels(id: TaskId, labels: readonly string[]): Promise<void> {
    await this.#q.deleteFrom('task_labels').where('task_id', '=', id).execute()
    await this.#addLabels(id, labels)
  }

  async #addLabels(id: TaskId, labels: readonly string[]): Promise<void> {
    if (labels.length === 0) return
    const rows = labels.map(label => ({ task_id: id, label, folded: fold(label) }))
    await this.#q.insertInto('task_labels').values(rows).execute()
  }

  async save(task: Task): Promise<void> {
    await this.#q.updateTable('tasks').set(toTaskRow(task)).where('id', '=', task.id).execute()
  }

  async insertNote(note: Note): Promise<void> {
    const { taskId, agentId, nextSteps, ...rest } = note
    await insertNote(this.#rows, { ...rest, task_id: taskId, agent_id: agentId, next_steps: nextSteps })
  }

  async latestNote(taskId: TaskId): Promise<Note | undefined> {
    const row = await this.#q
      .selectFrom('notes')
      .selectAll()
      .where('task_id', '=', taskId)
      .where(
        sql<boolean>`(COALESCE(progress, '') <> '' OR COALESCE(findings, '') <> '' OR COALESCE(blockers, '') <> '' OR COALESCE(next_steps, '') <> '')`,
      )
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && toNote(row)
  }

  /** Newest first; ids grow with time. */
  async notes(taskId: TaskId, limit: number, before?: string): Promise<Note[]> {
    let query = this.#q.selectFrom('notes').selectAll().where('task_id', '=', taskId)
    if (before !== undefined) query = query.where('id', '<', before)
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toNote)
  }
}

type HandoffRow = ProjectTables['handoffs'] & {
  task_status: string
  task_assignee: AgentId | null
  newest: string
}

export class HandoffStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ProjectTables>()
  }

  async find(id: HandoffId): Promise<Handoff | undefined> {
    const row = await this.#all().where('handoffs.id', '=', id).executeTakeFirst()
    return row && toHandoff(row)
  }

  async insert(handoff: Handoff): Promise<void> {
    await this.#q.insertInto('handoffs').values(toHandoffRow(handoff)).execute()
  }

  async accept(id: HandoffId, by: AgentId, at: number): Promise<void> {
    await this.#q.updateTable('handoffs').set({ accepted_at: at, accepted_by: by }).where('id', '=', id).execute()
  }

  /** The newest of a task; with an agent, the newest to that agent or to nobody. */
  async newest(taskId: TaskId, agentId?: AgentId): Promise<Handoff | undefined> {
    let query = this.#all().where('handoffs.task_id', '=', taskId)
    if (agentId !== undefined)
      query = query.where(eb =>
        eb.or([eb('handoffs.to_agent_id', '=', agentId), eb('handoffs.to_agent_id', 'is', null)]),
      )
    const row = await query.orderBy('handoffs.id', 'desc').limit(1).executeTakeFirst()
    return row && toHandoff(row)
  }

  /** Those that `handoffStatus` calls pending, oldest first. */
  async listOpen(
    filter: { agentId?: AgentId | undefined; projectId?: ProjectId | undefined },
    after: string,
    limit: number,
  ): Promise<Handoff[]> {
    let query = this.#all()
      .where('handoffs.accepted_at', 'is', null)
      .where('handoffs.id', '>', after as HandoffId)
      .where('tasks.status', 'not in', CLOSED)
      .where(eb =>
        eb.or([
          eb('tasks.assignee_id', '=', eb.ref('handoffs.to_agent_id')),
          eb.and([eb('tasks.assignee_id', 'is', null), eb('handoffs.to_agent_id', 'is', null)]),
        ]),
      )
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM handoffs newer WHERE newer.task_id = handoffs.task_id AND newer.id > handoffs.id)`,
      )
    const { agentId, projectId } = filter
    if (agentId !== undefined)
      query = query.where(eb =>
        eb.or([eb('handoffs.to_agent_id', '=', agentId), eb('handoffs.to_agent_id', 'is', null)]),
      )
    if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId)
    return (await query.orderBy('handoffs.id').limit(limit).execute()).map(toHandoff)
  }

  #all() {
    return this.#q
      .selectFrom('handoffs')
      .innerJoin('tasks', 'tasks.id', 'handoffs.task_id')
      .selectAll('handoffs')
      .select(['tasks.status as task_status', 'tasks.assignee_id as task_assignee'])
      .select(
        sql<string>`(SELECT newer.id FROM handoffs newer WHERE newer.task_id = handoffs.task_id ORDER BY newer.id DESC LIMIT 1)`.as(
          'newest',
        ),
      )
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

export function toTask(row: TaskRow): Task {
  const number = row.number ?? 0
  return {
    id: row.id,
    projectId: row.project_id,
    number,
    handle: handleOf(row.project_key ?? '', number),
    parentId: row.parent_id,
    branch: row.branch,
    labels: row.labels === null ? [] : labelled(row.labels.split('\n'), [], []),
    title: row.title,
    description: row.description,
    status: row.status as TaskStatus,
    priority: row.priority as Priority,
    assigneeId: row.assignee_id,
    assignedAt: row.assigned_at,
    blockedReason: row.blocked_reason,
    rank: row.ranked_in === row.status ? row.rank : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    dependsOn: (row.needs?.split(' ') ?? []).toSorted() as TaskId[],
    waits: Number(row.waits) === 1,
    facts: {
      reportedAt: row.reported_at,
      verifiedAt: row.verified_at,
      acceptedAt: row.accepted_at,
      queuedAt: row.queued_at,
      mergedAt: row.merged_at,
    },
  }
}

function toTaskRow(task: Task): Omit<ProjectTables['tasks'], 'folded' | 'made_by' | 'rank' | 'ranked_in'> {
  return {
    id: task.id,
    project_id: task.projectId,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    assignee_id: task.assigneeId,
    assigned_at: task.assignedAt,
    blocked_reason: task.blockedReason,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    number: task.number,
    parent_id: task.parentId,
    branch: task.branch,
    reported_at: task.facts.reportedAt,
    verified_at: task.facts.verifiedAt,
    accepted_at: task.facts.acceptedAt,
    queued_at: task.facts.queuedAt,
    merged_at: task.facts.mergedAt,
  }
}

function toNote(row: ProjectTables['notes']): Note {
  const { task_id, agent_id, next_steps, ...rest } = row
  return { ...rest, taskId: task_id, agentId: agent_id, nextSteps: next_steps }
}

function toHandoff(row: HandoffRow): Handoff {
  const handoff = {
    id: row.id,
    taskId: row.task_id,
    fromAgentId: row.from_agent_id,
    toAgentId: row.to_agent_id,
    summary: row.summary,
    context: row.context,
    recommendations: row.recommendations,
    createdAt: row.created_at,
    acceptedAt: row.accepted_at,
    acceptedBy: row.accepted_by,
  }
  const task = { status: row.task_status as TaskStatus, assigneeId: row.task_assignee }
  return { ...handoff, status: handoffStatus(handoff, task, row.newest) }
}

function toHandoffRow(handoff: Handoff): ProjectTables['handoffs'] {
  return {
    id: handoff.id,
    task_id: handoff.taskId,
    from_agent_id: handoff.fromAgentId,
    to_agent_id: handoff.toAgentId,
    summary: handoff.summary,
    context: handoff.context,
    recommendations: handoff.recommendations,
    created_at: handoff.createdAt,
    accepted_at: handoff.acceptedAt,
    accepted_by: handoff.acceptedBy,
  }
}
