import { sql } from 'kysely'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { Rows } from '#kernel/db/db.ts'
import { CLOSED, type Task } from './model.ts'
import type { ProjectTables } from './schema.ts'
import { IS_READY, selectTasks, toTask } from './task-rows.ts'

/** Databases have a limit of values in one statement. */
const AT_ONCE = 500

/** Dependencies and sub-tasks. */
export class LinkStore {
  readonly #q

  constructor(rows: Rows) {
    this.#q = rows.tables<ProjectTables>()
  }

  async link(taskId: TaskId, dependsOn: TaskId, at: number): Promise<void> {
    await this.#q.insertInto('task_links').values({ task_id: taskId, depends_on: dependsOn, at }).execute()
  }

  async unlink(taskId: TaskId, dependsOn: TaskId): Promise<void> {
    await this.#q.deleteFrom('task_links').where('task_id', '=', taskId).where('depends_on', '=', dependsOn).execute()
  }

  async setParent(taskId: TaskId, parentId: TaskId | null, at: number): Promise<void> {
    await this.#q.updateTable('tasks').set({ parent_id: parentId, updated_at: at }).where('id', '=', taskId).execute()
  }

  /** Some task needs this one: depends on it, or has it as a sub-task. */
  async isNeeded(id: TaskId): Promise<boolean> {
    const task = await this.#q.selectFrom('tasks').select('parent_id').where('id', '=', id).executeTakeFirst()
    if (task !== undefined && task.parent_id !== null) return true
    const link = await this.#q
      .selectFrom('task_links')
      .select('task_id')
      .where('depends_on', '=', id)
      .limit(1)
      .execute()
    return link.length > 0
  }

  /** Of each task of the project, what it needs: its dependencies and its sub-tasks. By two queries, however many there are. */
  async needs(projectId: ProjectId): Promise<Map<TaskId, TaskId[]>> {
    const links = await this.#q
      .selectFrom('task_links')
      .innerJoin('tasks', 'tasks.id', 'task_links.task_id')
      .select(['task_links.task_id as from', 'task_links.depends_on as to'])
      .where('tasks.project_id', '=', projectId)
      .execute()
    const parts = await this.#q
      .selectFrom('tasks')
      .select(['parent_id as from', 'id as to'])
      .where('project_id', '=', projectId)
      .where('parent_id', 'is not', null)
      .$narrowType<{ from: TaskId }>()
      .execute()
    const needs = new Map<TaskId, TaskId[]>()
    for (const { from, to } of [...links, ...parts]) {
      const known = needs.get(from)
      if (known) known.push(to)
      else needs.set(from, [to])
    }
    return needs
  }

  async countChildren(parentId: TaskId): Promise<number> {
    const { count } = await this.#q
      .selectFrom('tasks')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('parent_id', '=', parentId)
      .where('deleted_at', 'is', null)
      .where('status', '<>', 'cancelled')
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Of all these, in the order of their numbers. */
  async children(parentIds: readonly TaskId[]): Promise<Task[]> {
    const found: Task[] = []
    for (let from = 0; from < parentIds.length; from += AT_ONCE) {
      const some = parentIds.slice(from, from + AT_ONCE)
      const query = selectTasks(this.#q).where('tasks.parent_id', 'in', some).where('tasks.deleted_at', 'is', null)
      const rows = await query.orderBy('tasks.number').execute()
      found.push(...rows.map(toTask))
    }
    return found
  }

  async openChildren(parentId: TaskId): Promise<Task[]> {
    const rows = await selectTasks(this.#q)
      .where('tasks.parent_id', '=', parentId)
      .where('tasks.status', '<>', 'cancelled')
      .where('tasks.accepted_at', 'is', null)
      .orderBy('tasks.number')
      .execute()
    return rows.map(toTask)
  }

  /** What these depend on and what is not accepted, or not merged yet: task → those. */
  async missing(ids: readonly TaskId[]): Promise<Map<TaskId, Task[]>> {
    const missing = new Map<TaskId, Task[]>()
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const rows = await selectTasks(this.#q)
        .innerJoin('task_links', 'task_links.depends_on', 'tasks.id')
        .select('task_links.task_id as waiting')
        .where('task_links.task_id', 'in', ids.slice(from, from + AT_ONCE))
        .where('tasks.deleted_at', 'is', null)
        .where(eb =>
          eb.or([
            eb('tasks.accepted_at', 'is', null),
            eb.and([eb('tasks.queued_at', 'is not', null), eb('tasks.merged_at', 'is', null)]),
          ]),
        )
        .orderBy('tasks.number')
        .execute()
      for (const row of rows) missing.set(row.waiting, [...(missing.get(row.waiting) ?? []), toTask(row)])
    }
    return missing
  }

  /** Open tasks that depend on this one, and on nothing that is missing still. */
  async freedBy(id: TaskId): Promise<TaskId[]> {
    const rows = await selectTasks(this.#q)
      .innerJoin('task_links', 'task_links.task_id', 'tasks.id')
      .where('task_links.depends_on', '=', id)
      .where('tasks.status', 'not in', CLOSED)
      .orderBy('tasks.number')
      .execute()
    return rows.map(toTask).flatMap(task => (task.waits ? [] : task.id))
  }

  /** Tasks in progress that an agent is not started for: they wait for others. */
  async held(projectId: ProjectId, agentId: AgentId, limit: number): Promise<Task[]> {
    const rows = await selectTasks(this.#q)
      .where('tasks.assignee_id', '=', agentId)
      .where('tasks.project_id', '=', projectId)
      .where('tasks.status', '=', 'in_progress')
      .where(eb => eb.not(IS_READY))
      .orderBy('tasks.number')
      .limit(limit)
      .execute()
    return rows.map(toTask)
  }

  /** Tasks that are no sub-tasks; without `all`, those that something is still expected of. */
  async roots(projectId: ProjectId | undefined, all: boolean, limit: number): Promise<Task[]> {
    // Sub-tasks of one that was deleted stand on their own.
    const isAlone = sql<boolean>`NOT EXISTS (SELECT 1 FROM tasks AS parent
      WHERE parent.id = tasks.parent_id AND parent.deleted_at IS NULL)`
    let query = selectTasks(this.#q).where('tasks.deleted_at', 'is', null).where(isAlone)
    if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId)
    if (!all)
      query = query
        .where('tasks.status', '<>', 'cancelled')
        .where(eb => eb.or([eb('tasks.status', '<>', 'done'), eb('tasks.accepted_at', 'is', null)]))
    const rows = await query.orderBy('projects.number').orderBy('tasks.number').limit(limit).execute()
    return rows.map(toTask)
  }

  async handles(ids: readonly TaskId[]): Promise<Map<TaskId, string>> {
    const handles = new Map<TaskId, string>()
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const rows = await selectTasks(this.#q)
        .where('tasks.id', 'in', ids.slice(from, from + AT_ONCE))
        .execute()
      for (const task of rows.map(toTask)) handles.set(task.id, task.handle)
    }
    return handles
  }
}
