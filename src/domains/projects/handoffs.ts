// The verbs that pass a task on.
import { confinedTo } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import type { AgentId, HandoffId, TaskId } from '#contract/id-types.ts'
import { HandoffAccepted, HandoffCreated, ProjectError } from '#contract/projects.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Ids } from '#kernel/ids.ts'
import { mayActAs, mayHandOver } from './access.ts'
import { type Handoff, isClosed } from './model.ts'
import type { Passes } from './passes.ts'
import type { Projects } from './projects.ts'
import { HandoffStore, type OpenHandoffs } from './handoff-store.ts'
import type { Tasks } from './tasks.ts'

export type NewHandoff = Pick<
  Handoff,
  'taskId' | 'fromAgentId' | 'toAgentId' | 'summary' | 'context' | 'recommendations'
>
type Deps = { db: Db; events: EventLog; clock: Clock; ids: Ids; tasks: Tasks; projects: Projects; passes: Passes }

export class Handoffs {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * To an agent: the task is that agent's at once. Without a receiver: it waits until an agent accepts. Agents that hand it back to
   * each other without changing anything, as `tree` says, are stopped: then it is blocked until a person has looked.
   */
  create(fresh: NewHandoff, by: Caller, tree: string | null = null): Promise<Handoff> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, events, tasks, projects, passes } = this.#deps
      mayActAs(fresh.fromAgentId, by)
      const task = await tasks.getThere(fresh.taskId, by)
      if (isClosed(task)) throw ProjectError.TASK_CLOSED({ taskId: task.id, status: task.status })
      await projects.mustBelong(task.projectId, fresh.fromAgentId)
      mayHandOver(task, by)
      const handoff: Handoff = {
        ...fresh,
        id: ids.next('hof'),
        createdAt: clock.now(),
        acceptedAt: null,
        acceptedBy: null,
        status: 'pending',
      }
      const store = new HandoffStore(tx)
      const pass = { from: fresh.fromAgentId, to: fresh.toAgentId, at: handoff.createdAt, tree, stopped: false }
      const stopped = await passes.whyStopped(tx, task.id, pass, by)
      await tasks.passTo(task, fresh.toAgentId, fresh.toAgentId === null ? 'todo' : 'in_progress', by, stopped)
      await store.insert(handoff, tree, stopped !== undefined)
      const fact = { handoffId: handoff.id, taskId: task.id, from: fresh.fromAgentId, to: fresh.toAgentId }
      await events.publish(tx, HandoffCreated, fact, by, task.projectId)
      return handoff
    })
  }

  /** Only the newest of its task, and only while the task is where it was left: any other would take it from its owner. */
  accept(id: HandoffId, agentId: AgentId, by: Caller): Promise<Handoff> {
    return this.#deps.db.tx(async tx => {
      const { clock, events, tasks } = this.#deps
      mayActAs(agentId, by)
      const store = new HandoffStore(tx)
      const handoff = await store.find(id)
      if (!handoff) throw ProjectError.HANDOFF_NOT_FOUND({ handoffId: id })
      const task = await tasks.get(handoff.taskId, by)
      if (handoff.toAgentId !== null && handoff.toAgentId !== agentId)
        throw ProjectError.HANDOFF_NOT_YOURS({ handoffId: id, to: handoff.toAgentId })
      if (handoff.acceptedBy !== null) throw ProjectError.HANDOFF_ACCEPTED({ handoffId: id, by: handoff.acceptedBy })
      const newest = await store.newest(task.id)
      const superseded = { handoffId: id, taskId: task.id, newer: null, assigneeId: task.assigneeId }
      if (newest && newest.id !== id) throw ProjectError.HANDOFF_SUPERSEDED({ ...superseded, newer: newest.id })
      if (isClosed(task)) throw ProjectError.TASK_CLOSED({ taskId: task.id, status: task.status })
      if (handoff.status === 'superseded') throw ProjectError.HANDOFF_SUPERSEDED(superseded)
      await tasks.passTo(task, agentId, 'in_progress', by)
      const acceptedAt = clock.now()
      await store.accept(id, agentId, acceptedAt)
      await events.publish(tx, HandoffAccepted, { handoffId: id, taskId: task.id, by: agentId }, by, task.projectId)
      return { ...handoff, acceptedAt, acceptedBy: agentId, status: 'accepted' }
    })
  }

  async newest(taskId: TaskId, by: Caller, agentId?: AgentId): Promise<Handoff | undefined> {
    await this.#deps.tasks.get(taskId, by)
    return new HandoffStore(this.#deps.db).newest(taskId, agentId)
  }

  /** Those that can be accepted: those to this agent or without a receiver, or all of them. */
  async listOpen(
    { agentId, projectId, taskId }: OpenHandoffs,
    after: string,
    limit: number,
    by: Caller,
  ): Promise<Handoff[]> {
    if (agentId !== undefined) mayActAs(agentId, by)
    const own = confinedTo(by)
    if (own === null) return []
    const scope = { agentId: by.kind === 'agent' ? by.agentId : agentId, projectId: own ?? projectId, taskId }
    return new HandoffStore(this.#deps.db).listOpen(scope, after, limit)
  }
}
