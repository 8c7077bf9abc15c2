// The verbs of planning: an agent that was given them, or the operator's own client, adds tasks and puts them in order.
import { confinedTo, mayEnter } from '#contract/access.ts'
import { type Caller, callerName } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { MOST_PLANNED, OrderError } from '#contract/order.ts'
import type { TaskStatus } from '#contract/projects.ts'
import type { Db } from '#kernel/db/db.ts'
import { mayChange } from './access.ts'
import type { Links, Place } from './links.ts'
import type { Passes } from './passes.ts'
import { sameTitle, type Task, type TaskChanges } from './model.ts'
import { PlanStore } from './plan-store.ts'
import type { NewTask, Tasks } from './tasks.ts'

export type NewPlanned = Omit<NewTask, 'id' | 'projectId'> & Place & { projectId?: ProjectId | undefined }
export type Load = { openTasks: number; workingOn: string[] }
export type PlanChanges = TaskChanges & { status?: TaskStatus | undefined }

type Deps = { db: Db; tasks: Tasks; links: Links; passes: Passes }

const NEEDS_PROJECT = {
  en: 'project_id or parent is required: this connection belongs to no project.',
  ja: 'この接続はどのプロジェクトにも属していないため、project_id か parent を指定してください。',
}

export class Plans {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** An open task of the same title in the same place is the answer already: agents plan the same thing twice. */
  create(fresh: NewPlanned, by: Caller): Promise<{ task: Task; created: boolean }> {
    return this.#deps.db.tx(async tx => {
      const { tasks, links } = this.#deps
      const parent = fresh.parentId === undefined ? undefined : await tasks.get(fresh.parentId, by)
      const projectId = fresh.projectId ?? parent?.projectId ?? confinedTo(by)
      if (!projectId) throw CoreError.INVALID_ARGUMENT({ reason: NEEDS_PROJECT })
      mayEnter(projectId, by)
      const store = new PlanStore(tx)
      const there = (await store.openTitles(projectId, parent?.id ?? null)).find(({ title }) =>
        sameTitle(title, fresh.title),
      )
      if (there) return { task: await tasks.get(there.id, by), created: false }
      if (parent) mayChange(parent, by)
      const { parentId: _, dependsOn, ...rest } = fresh
      const task = await links.add({ ...rest, projectId }, { parentId: parent?.id, dependsOn }, by)
      if (by.kind !== 'operator') await this.#sign(store, task, callerName(by))
      return { task, created: true }
    })
  }

  /** `tree`: the task's files, where it is given to another. */
  update(id: TaskId, { status, ...changes }: PlanChanges, by: Caller, tree: string | null): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const { tasks, passes } = this.#deps
      const task = await tasks.get(id, by)
      mayChange(task, by)
      if (status === 'cancelled' && task.status !== 'cancelled') await mayCancel(new PlanStore(tx), task, by)
      const edited = await tasks.edit(task.id, changes, by)
      const counted = await passes.counted(tx, task, edited, by, tree)
      // What was stopped by that is a person's to open.
      if (counted !== edited) return counted
      if (status !== undefined) await tasks.move(task.id, status, by)
      return tasks.get(task.id, by)
    })
  }

  /** Or with `remove`, out of that place. */
  link(id: TaskId, place: Place & { remove: boolean }, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async () => {
      const { tasks, links } = this.#deps
      const { parentId, dependsOn = [], remove } = place
      const task = await tasks.get(id, by)
      mayChange(task, by)
      if (parentId !== undefined) mayChange(await tasks.get(parentId, by), by)
      if (!remove) return links.link(task.id, { parentId, dependsOn }, by)
      return links.unlink(task.id, { parent: parentId !== undefined && parentId === task.parentId, dependsOn }, by)
    })
  }

  /** How much each of these agents has to do. What it does in other projects is named only to those who may know. */
  async loads(agentIds: readonly AgentId[], by: Caller): Promise<(agentId: AgentId) => Load> {
    const store = new PlanStore(this.#deps.db)
    const own = confinedTo(by)
    const open = await store.openTasks(agentIds)
    const doing = own === null ? new Map<AgentId, string[]>() : await store.inProgress(agentIds, own)
    return agentId => ({ openTasks: open.get(agentId) ?? 0, workingOn: doing.get(agentId) ?? [] })
  }

  async #sign(store: PlanStore, task: Task, maker: string): Promise<void> {
    await store.setMaker(task.id, maker)
    const count = await store.countOpen(task.projectId, maker)
    if (count > MOST_PLANNED) throw OrderError.PLAN_LIMIT({ count: MOST_PLANNED })
  }
}

async function mayCancel(store: PlanStore, { id, handle }: Task, by: Caller): Promise<void> {
  if (by.kind === 'operator' || (await store.makerOf(id)) === callerName(by)) return
  throw OrderError.NOT_YOUR_PLAN({ handle })
}
