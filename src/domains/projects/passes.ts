// Tasks that agents pass to each other, by a handoff or without a word, are counted: what goes round is stopped.
import { type Caller, isWorker } from '#contract/caller.ts'
import type { AgentId, TaskId } from '#contract/id-types.ts'
import type { Blocked } from '#contract/why.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { Ids } from '#kernel/ids.ts'
import { type Pass, PASSES, whyStopped } from './handed-back.ts'
import { isClosed, type Task } from './model.ts'
import { NoteStore } from './note-store.ts'
import { PassStore } from './pass-store.ts'
import type { Trees } from './ports.ts'
import type { Tasks } from './tasks.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; tasks: Tasks; trees: Trees }

export class Passes {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The task's files as they are now; null where they cannot be looked at. Slow; not for use inside a transaction. */
  async treeOf(taskId: TaskId, by: Caller): Promise<string | null> {
    return isWorker(by) ? this.#deps.trees.treeOf(taskId) : null
  }

  /** Why it is a person's from here on; undefined as long as agents may go on. */
  async whyStopped(tx: Tx, taskId: TaskId, pass: Pass, by: Caller): Promise<Blocked | undefined> {
    if (!isWorker(by)) return undefined
    const [answer] = await new NoteStore(tx).answers(taskId, 1)
    const earlier = await new PassStore(tx).list(taskId, PASSES)
    return whyStopped(pass, earlier, answer?.at ?? Number.NEGATIVE_INFINITY)
  }

  /** Without a handoff. `tree`: the task's files, as `treeOf` said before. */
  assign(id: TaskId, agentId: AgentId | null, by: Caller, tree: string | null): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const { tasks } = this.#deps
      const before = await tasks.getThere(id, by)
      return this.counted(tx, before, await tasks.assign(id, agentId, by), by, tree)
    })
  }

  /** After it may have changed hands; blocked, when that was one too many. */
  async counted(tx: Tx, before: Task, after: Task, by: Caller, tree: string | null): Promise<Task> {
    const { clock, ids, tasks } = this.#deps
    const [from, to] = [before.assigneeId, after.assigneeId]
    if (from === to || !isWorker(by) || isClosed(before) || before.isForPeople) return after
    const pass = { from, to, at: clock.now(), tree, stopped: false }
    const why = await this.whyStopped(tx, after.id, pass, by)
    await new PassStore(tx).insert(ids.next('pas'), after.id, { ...pass, stopped: why !== undefined })
    return why === undefined ? after : tasks.stop(after.id, why, by)
  }
}
