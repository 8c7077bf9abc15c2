// The rows of tasks and their labels, and their places on the board.
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { handleOf, type Priority, readHandle, type Stage, type TaskStatus } from '#contract/projects.ts'
import { placeOf } from '#contract/task-order.ts'
import type { Rows } from '#kernel/db/db.ts'
import { fixed } from '#kernel/db/fixed.ts'
import { fold } from '#kernel/search/fold.ts'
import { CLOSED, searched, type Task } from './model.ts'
import type { ProjectTables } from './schema.ts'
import { hasLabel, holds, IS_CLOSED, IS_OPEN, isInStage } from './task-conditions.ts'
import { selectTasks, toTask, toTaskRow } from './task-rows.ts'

export type TaskFilter = {
  projectId?: ProjectId | undefined
  status?: TaskStatus | undefined
  /** Null: nobody's. */
  assigneeId?: AgentId | null | undefined
  stage?: Stage | undefined
  /** However it is written. */
  label?: string | undefined
  /** In title, description, handle or a label. */
  search?: string | undefined
  ids?: readonly TaskId[] | undefined
  /** Open: something is still expected of it. */
  open?: boolean | undefined
  /** Ordered by when they changed: no further than to this one. */
  downTo?: TaskCursor | undefined
  /** Only what changed since. */
  since?: number | undefined
  /** Only deleted ones; `'too'`: these and the others. Without it: only the others. */
  deleted?: true | 'too' | undefined
  /** `created`, the default: the oldest first. The others: the newest first, by when it was made or changed. */
  order?: TaskOrder | undefined
}
export type TaskOrder = 'created' | 'newest' | 'updated'
/** Where a page of tasks ended; `at`: when that one was made, or changed where they are ordered by that. */
export type TaskCursor = { at: number; id: TaskId }

export function cursorOf({ id, createdAt, updatedAt }: Task, order: TaskOrder | undefined): TaskCursor {
  return { at: order === 'updated' ? updatedAt : createdAt, id }
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
const changedAt = (eb: ExpressionBuilder<ProjectTables, 'tasks'>) => eb.refTuple('tasks.updated_at', 'tasks.id')

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

  /** Oldest first, unless another order is asked for. */
  async list(filter: TaskFilter, after: TaskCursor | undefined, limit: number): Promise<Task[]> {
    // PostgreSQL does not parse an empty list.
    if (filter.ids?.length === 0) return []
    let query = selectTasks(this.#q)
    if (filter.deleted !== 'too')
      query = query.where('tasks.deleted_at', filter.deleted === true ? 'is not' : 'is', null)
    if (filter.projectId !== undefined) query = query.where('tasks.project_id', '=', filter.projectId)
    if (filter.status !== undefined) query = query.where('tasks.status', '=', filter.status)
    if (filter.assigneeId !== undefined)
      query = query.where('tasks.assignee_id', filter.assigneeId === null ? 'is' : '=', filter.assigneeId)
    if (filter.stage !== undefined) query = query.where(isInStage(filter.stage))
    if (filter.label !== undefined) query = query.where(hasLabel(fold(filter.label)))
    if (filter.search !== undefined) query = query.where(holds(fold(filter.search)))
    if (filter.ids !== undefined) query = query.where('tasks.id', 'in', [...filter.ids])
    if (filter.open !== undefined) query = query.where(filter.open ? IS_OPEN : IS_CLOSED)
    const { downTo } = filter
    if (downTo) query = query.where(eb => eb(changedAt(eb), '>=', eb.tuple(downTo.at, downTo.id)))
    if (filter.since !== undefined) query = query.where('tasks.updated_at', '>=', filter.since)
    const by = filter.order === 'updated' ? 'tasks.updated_at' : 'tasks.created_at'
    const isForward = filter.order === undefined || filter.order === 'created'
    if (after)
      query = query.where(eb => eb(eb.refTuple(by, 'tasks.id'), isForward ? '>' : '<', eb.tuple(after.at, after.id)))
    const direction = isForward ? 'asc' : 'desc'
    const rows = await query.orderBy(by, direction).orderBy('tasks.id', direction).limit(limit).execute()
    return rows.map(toTask)
  }

  /** Where so many closed ones end that changed before this one, newest first. Undefined: there are no more. */
  async endOfClosed(
    { projectId }: Pick<TaskFilter, 'projectId'>,
    after: TaskCursor | undefined,
    count: number,
  ): Promise<TaskCursor | undefined> {
    let query = this.#q.selectFrom('tasks').select(['tasks.updated_at', 'tasks.id']).where(IS_CLOSED)
    if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId)
    if (after) query = query.where(eb => eb(changedAt(eb), '<', eb.tuple(after.at, after.id)))
    const ordered = query.orderBy('tasks.updated_at', 'desc').orderBy('tasks.id', 'desc')
    const row = await ordered
      .offset(count - 1)
      .limit(1)
      .executeTakeFirst()
    return row && { at: row.updated_at, id: row.id }
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

  /** Newest first: those that people speak of. */
  async handlesStartingWith(prefix: string, limit: number, projectId?: ProjectId): Promise<string[]> {
    const [whole, key = '', digits] = /^([a-z][a-z0-9]{0,15})?(?:-(\d{0,9}))?$/.exec(prefix) ?? []
    if (whole === undefined) return []
    let query = this.#q
      .selectFrom('tasks')
      .innerJoin('projects', 'projects.id', 'tasks.project_id')
      .select(['projects.key', 'tasks.number'])
      .where('projects.key', 'is not', null)
      .where('tasks.deleted_at', 'is', null)
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
      .where('deleted_at', 'is', null)
    if (projectId !== undefined) query = query.where('project_id', '=', projectId)
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map(row => row.id).filter(id => id.startsWith(prefix))
  }

  /** Deleted before then, the oldest first. */
  async listGone(before: number, limit: number): Promise<{ id: TaskId; deletedAt: number }[]> {
    const rows = await this.#q
      .selectFrom('tasks')
      .select(['id', 'deleted_at'])
      .where('deleted_at', '<=', before)
      .orderBy('deleted_at')
      .limit(limit)
      .execute()
    return rows.map(({ id, deleted_at }) => ({ id, deletedAt: Number(deleted_at) }))
  }

  /** With all that belongs to it here. Its number is not given again. */
  async purge(id: TaskId): Promise<void> {
    const q = this.#q
    await q.deleteFrom('task_links').where('task_id', '=', id).execute()
    await q.deleteFrom('task_links').where('depends_on', '=', id).execute()
    for (const table of ['task_labels', 'task_answers', 'notes', 'handoffs', 'task_passes'] as const)
      await q.deleteFrom(table).where('task_id', '=', id).execute()
    await q.updateTable('tasks').set({ parent_id: null }).where('parent_id', '=', id).execute()
    await q.deleteFrom('tasks').where('id', '=', id).execute()
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
}
