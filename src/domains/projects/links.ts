// The verbs on the order of tasks: what each waits for, and what it is a part of.
import { confinedTo, mayEnter } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import {
  MOST_CHILDREN,
  MOST_DEPENDENCIES,
  MOST_LEVELS,
  OrderError,
  TaskLinked,
  TaskNested,
  TaskUnlinked,
} from '#contract/order.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { wayTo } from './graph.ts'
import { LinkStore } from './link-store.ts'
import { isClosed, isReportedEarly, type Task } from './model.ts'
import type { NewTask, Tasks } from './tasks.ts'

export type Place = { parentId?: TaskId | undefined; dependsOn?: readonly TaskId[] | undefined }
export type Branch = { task: Task; level: number; waitsFor: Task[] }

/** Trees that are drawn at once. */
const MOST_ROOTS = 500
/** Of a circle: one who reads more of it sees no more. */
const MOST_NAMED = 12
const GAP = '…' as TaskId
/** As many as an agent would read. */
const MOST_HELD = 5

export class Links {
  readonly #deps: { db: Db; events: EventLog; clock: Clock; tasks: Tasks }

  constructor(deps: { db: Db; events: EventLog; clock: Clock; tasks: Tasks }) {
    this.#deps = deps
  }

  /** A task in its place: whole, or not at all. */
  add(fresh: NewTask, place: Place, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async () => {
      const task = await this.#deps.tasks.add(fresh, by)
      const isPlaced = place.parentId !== undefined || (place.dependsOn ?? []).length > 0
      return isPlaced ? this.link(task.id, place, by) : task
    })
  }

  /** What is so already stays, and is not announced again. */
  link(id: TaskId, { parentId, dependsOn = [] }: Place, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.#deps.tasks.getThere(id, by)
      if (parentId !== undefined) await this.#nest(tx, task, await this.#other(task, parentId, by), by)
      const known = new Set(task.dependsOn)
      for (const each of dependsOn) {
        const needed = await this.#other(task, each, by)
        if (known.has(needed.id)) continue
        if (known.size >= MOST_DEPENDENCIES) throw OrderError.TASK_DEPENDENCIES({ handle: task.handle })
        await this.#mustNotCircle(tx, task, needed)
        await new LinkStore(tx).link(task.id, needed.id, this.#deps.clock.now())
        await this.#deps.events.publish(tx, TaskLinked, { taskId: task.id, dependsOn: needed.id }, by, task.projectId)
        known.add(needed.id)
      }
      return this.#deps.tasks.get(task.id, by)
    })
  }

  unlink(id: TaskId, { parent, dependsOn }: { parent: boolean; dependsOn: readonly TaskId[] }, by: Caller) {
    return this.#deps.db.tx(async tx => {
      const { events, tasks } = this.#deps
      const task = await tasks.get(id, by)
      if (parent && task.parentId !== null) await this.#setParent(tx, task, null, by)
      for (const each of dependsOn) {
        const needed = await tasks.get(each, by)
        if (!task.dependsOn.includes(needed.id)) continue
        await new LinkStore(tx).unlink(task.id, needed.id)
        await events.publish(tx, TaskUnlinked, { taskId: task.id, dependsOn: needed.id }, by, task.projectId)
      }
      return tasks.get(task.id, by)
    })
  }

  /** What the task depends on and what is not accepted yet. */
  async waitsFor(task: Task): Promise<Task[]> {
    if (!task.waits) return []
    return (await new LinkStore(this.#deps.db).missing([task.id])).get(task.id) ?? []
  }

  /** The same of many at once: task → what is missing. */
  missing(tasks: readonly Task[]): Promise<Map<TaskId, Task[]>> {
    return new LinkStore(this.#deps.db).missing(tasks.flatMap(task => (task.waits ? task.id : [])))
  }

  /** What the agent has in progress and waits for others, each with what is missing. */
  async held(projectId: ProjectId, agentId: AgentId): Promise<{ task: Task; missing: Task[]; open: Task[] }[]> {
    const store = new LinkStore(this.#deps.db)
    const held = await store.held(projectId, agentId, MOST_HELD)
    const missing = await store.missing(held.map(({ id }) => id))
    return Promise.all(
      held.map(async task => {
        const open = isReportedEarly(task) ? await store.openChildren(task.id) : []
        return { task, missing: missing.get(task.id) ?? [], open }
      }),
    )
  }

  children(...tasks: readonly Task[]): Promise<Task[]> {
    return new LinkStore(this.#deps.db).children(tasks.map(({ id }) => id))
  }

  /** Of one task, or of the tasks of a project that something is expected of; each before its sub-tasks. */
  async tree(
    from: { taskId?: TaskId | undefined; projectId?: ProjectId | undefined; all: boolean },
    by: Caller,
  ): Promise<{ branches: Branch[]; truncated: boolean }> {
    const store = new LinkStore(this.#deps.db)
    const found = from.taskId === undefined ? await this.#roots(from.projectId, from.all, by) : undefined
    const roots = found?.slice(0, MOST_ROOTS) ?? [await this.#deps.tasks.get(from.taskId as TaskId, by)]
    const below = new Map<TaskId, Task[]>()
    const waiting: TaskId[] = []
    const seen = new Set(roots.map(({ id }) => id))
    for (let level = roots; level.length > 0; ) {
      waiting.push(...level.flatMap(task => (task.waits ? task.id : [])))
      // Each once: rows that no verb has written may go in a circle.
      level = (await store.children(level.map(({ id }) => id))).filter(({ id }) => !seen.has(id))
      for (const child of level) {
        seen.add(child.id)
        const parentId = child.parentId as TaskId
        below.set(parentId, [...(below.get(parentId) ?? []), child])
      }
    }
    const missing = await store.missing(waiting)
    const branch = (task: Task, level: number): Branch[] => [
      { task, level, waitsFor: missing.get(task.id) ?? [] },
      ...(below.get(task.id) ?? []).flatMap(child => branch(child, level + 1)),
    ]
    return { branches: roots.flatMap(root => branch(root, 1)), truncated: (found?.length ?? 0) > MOST_ROOTS }
  }

  async #roots(projectId: ProjectId | undefined, all: boolean, by: Caller): Promise<Task[]> {
    const own = projectId ?? confinedTo(by)
    if (own === null) return []
    if (own !== undefined) mayEnter(own, by)
    return new LinkStore(this.#deps.db).roots(own, all, MOST_ROOTS + 1)
  }

  /** Another task of the same project. */
  async #other(task: Task, id: TaskId, by: Caller): Promise<Task> {
    const other = await this.#deps.tasks.getThere(id, by)
    if (other.id === task.id) throw OrderError.TASK_CYCLE({ cycle: [task.handle, task.handle] })
    if (other.projectId !== task.projectId) throw OrderError.OTHER_PROJECT({ handle: task.handle, other: other.handle })
    return other
  }

  async #nest(tx: Tx, task: Task, parent: Task, by: Caller): Promise<void> {
    if (task.parentId === parent.id) return
    if (isClosed(parent) && !isClosed(task))
      throw OrderError.PARENT_CLOSED({ handle: parent.handle, status: parent.status })
    // First without its old place, which is no part of a circle with the new one.
    const store = new LinkStore(tx)
    if (task.parentId !== null) await store.setParent(task.id, null, task.updatedAt)
    await this.#mustNotCircle(tx, parent, task)
    const levels = (await this.#levelOf(parent, by)) + (await heightOf(store, task))
    if (levels > MOST_LEVELS) throw OrderError.TASK_DEPTH({ handle: task.handle, parent: parent.handle })
    if ((await store.countChildren(parent.id)) >= MOST_CHILDREN)
      throw OrderError.TASK_CHILDREN({ handle: parent.handle })
    await this.#setParent(tx, task, parent.id, by)
  }

  async #setParent(tx: Tx, task: Task, parentId: TaskId | null, by: Caller): Promise<void> {
    await new LinkStore(tx).setParent(task.id, parentId, this.#deps.clock.now())
    await this.#deps.events.publish(tx, TaskNested, { taskId: task.id, parentId }, by, task.projectId)
  }

  /** `task` is about to need `needed`, which must not need `task`. */
  async #mustNotCircle(tx: Tx, task: Task, needed: Task): Promise<void> {
    const store = new LinkStore(tx)
    // The usual case, and the one of plans that are entered from top to bottom.
    if (!(await store.isNeeded(task.id))) return
    const way = wayTo(await store.needs(task.projectId), needed.id, task.id)
    if (!way) return
    const shown = way.length <= MOST_NAMED ? way : [...way.slice(0, MOST_NAMED - 3), GAP, ...way.slice(-2)]
    const handles = await store.handles([task.id, ...shown])
    throw OrderError.TASK_CYCLE({ cycle: [task.id, ...shown].map(id => handles.get(id) ?? id) })
  }

  async #levelOf(task: Task, by: Caller): Promise<number> {
    let level = 1
    for (let at = task; at.parentId !== null && level <= MOST_LEVELS; level++)
      at = await this.#deps.tasks.get(at.parentId, by)
    return level
  }
}

/** How many levels there are from this task down. */
async function heightOf(store: LinkStore, task: Task): Promise<number> {
  let height = 0
  for (let level = [task]; level.length > 0 && height <= MOST_LEVELS; height++)
    level = await store.children(level.map(({ id }) => id))
  return height
}
