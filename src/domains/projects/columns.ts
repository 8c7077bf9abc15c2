// Where tasks stand in the columns of the board.
import type { Caller } from '#contract/caller.ts'
import type { TaskId } from '#contract/id-types.ts'
import { ProjectError, TaskOrdered, type TaskStatus } from '#contract/projects.ts'
import { placeBehind } from '#contract/task-order.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { isClosed, type Task } from './model.ts'
import { TaskStore } from './task-store.ts'
import type { Tasks } from './tasks.ts'

type Deps = { db: Db; events: EventLog; tasks: Pick<Tasks, 'get'> }

export class Columns {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Directly behind another of its column, or to its front. Where it stands already, nothing changes. */
  order(id: TaskId, behindId: TaskId | null, by: Caller): Promise<{ task: Task; rank: number }> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskStore(tx)
      const task = await this.#deps.tasks.get(id, by)
      const behind = behindId === null ? undefined : await this.#deps.tasks.get(behindId, by)
      const { handle, status, projectId } = task
      if (isClosed(task)) throw ProjectError.TASK_NOT_IN_ORDER({ handle, status })
      if (behind && behind.status !== status)
        throw ProjectError.TASKS_APART({ handle, status, other: behind.handle, otherStatus: behind.status })
      const column = await store.column(status, [...new Set([projectId, behind?.projectId ?? projectId])])
      const at = column.findIndex(other => other.id === id)
      const isThere = behindId === id || (column[at - 1]?.id ?? null) === behindId
      if (isThere) return { task, rank: column[at]?.place ?? 0 }
      const found = placeBehind(column, id, behindId)
      const rank = found ?? (await spread(store, column, id, behindId, status))
      if (found !== undefined) await store.saveRank(id, found, status)
      const fact = { taskId: id, status, rank, spread: found === undefined }
      await this.#deps.events.publish(tx, TaskOrdered, fact, by, projectId)
      return { task, rank }
    })
  }
}

/** Counts the column again, with the task in its place. */
async function spread(
  store: TaskStore,
  column: readonly { id: TaskId }[],
  id: TaskId,
  behindId: TaskId | null,
  status: TaskStatus,
): Promise<number> {
  const ids = column.flatMap(other => (other.id === id ? [] : [other.id]))
  const rank = behindId === null ? 0 : ids.indexOf(behindId) + 1
  ids.splice(rank, 0, id)
  for (const [place, one] of ids.entries()) await store.saveRank(one, place, status)
  return rank
}
