// The verbs on tasks. What is remembered of them is in `notes.ts`, their places on the board in `columns.ts`.
import { setImmediate } from 'node:timers/promises'
import { confinedTo, mayEnter } from '#contract/access.ts'
import { type Caller, callerId, callerName, isWorker } from '#contract/caller.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import { OrderError, TaskReady } from '#contract/order.ts'
import {
  handleOf,
  LABELS_MAX,
  ProjectError,
  TaskAdded,
  TaskAnswered,
  TaskAssigned,
  TaskDeleted,
  TaskEdited,
  TaskMoved,
  TaskPurged,
  TaskRestored,
  type TaskStatus,
} from '#contract/projects.ts'
import { type Blocked, isSame } from '#contract/why.ts'
import { blockedText } from '#contract/why-text.ts'
import { type Clock, iso } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Ids } from '#kernel/ids.ts'
import { mayChange, mayOpen } from './access.ts'
import { DueStore } from './due-store.ts'
import { LinkStore } from './link-store.ts'
import {
  accepted,
  assigned,
  blockedBy,
  changedFields,
  deleted,
  edited,
  type Facts,
  isReportedEarly,
  isMissing,
  isSettled,
  labelled,
  moved,
  NO_FACTS,
  type Project,
  reported,
  reportedEarly,
  stageOf,
  type Task,
  type TaskChanges,
} from './model.ts'
import { NoteStore } from './note-store.ts'
import { PlanStore } from './plan-store.ts'
import type { Projects } from './projects.ts'
import { ProjectStore } from './project-store.ts'
import { type TaskCursor, type TaskFilter, TaskStore } from './task-store.ts'

/** So many closed tasks at a time. */
const LOOKED_THROUGH = 1000

export type NewTask = Pick<Task, 'projectId' | 'title' | 'description' | 'status' | 'priority' | 'assigneeId'> & {
  id?: TaskId | undefined
  labels?: readonly string[] | undefined
}
/** What becomes of a task that is to be done while sub-tasks are open: it is refused, it waits for them, or they do not matter. */
type WithOpenChildren = 'refuse' | 'wait' | 'ignore'

type Deps = {
  db: Db
  events: EventLog
  clock: Clock
  ids: Ids
  projects: Projects
  thread: {
    /** In the transaction in which a person moves it to done: what lies in its workspace is accepted with it. */
    doneByHand(task: Task): Promise<void>
    /** In the transaction in which another moves it to done: that is a report without words. */
    doneByAgent(task: Task, by: Caller): Promise<void>
  }
  /** In the transaction in which a task leaves `in_progress` or changes hands: what works on it has nothing to do there. */
  workers: { leave(task: Task, before: Task, by: Caller): Promise<void> }
}

export class Tasks {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  find(id: TaskId): Promise<Task | undefined> {
    return new TaskStore(this.#deps.db).find(id)
  }

  /** The id of the task that has this id or this handle. */
  async idNamed(name: string): Promise<TaskId | undefined> {
    const store = new TaskStore(this.#deps.db)
    const own = await store.find(name as TaskId)
    return own ? own.id : store.idWithHandle(name)
  }

  async get(id: TaskId, by: Caller): Promise<Task> {
    const task = await this.find(id)
    if (!task) throw ProjectError.TASK_NOT_FOUND({ taskId: id })
    mayEnter(task.projectId, by)
    if (task.deletedAt !== null && isWorker(by)) throw ProjectError.TASK_NOT_FOUND({ taskId: id })
    return task
  }

  /** To do something with it: a deleted one is only looked at, and brought back. */
  async getThere(id: TaskId, by: Caller): Promise<Task> {
    const task = await this.get(id, by)
    mustBeThere(task)
    return task
  }

  /** By a person: hidden, cancelled unless it is finished, and kept for some weeks. */
  delete(id: TaskId, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.get(id, by)
      if (task.deletedAt !== null) return task
      const saved = await this.#save(tx, task, deleted(task, this.#deps.clock.now()), by)
      const { handle, title, projectId } = task
      await this.#deps.events.publish(tx, TaskDeleted, { taskId: id, handle, title }, by, projectId)
      return saved
    })
  }

  /** As it was put away: one that was cancelled for it stays cancelled until a person moves it. */
  restore(id: TaskId, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.get(id, by)
      if (task.deletedAt === null) return task
      const saved = await this.#save(tx, task, { ...task, deletedAt: null, updatedAt: this.#deps.clock.now() }, by)
      await this.#deps.events.publish(tx, TaskRestored, { taskId: id }, by, task.projectId)
      return saved
    })
  }

  /** Deleted before then. */
  listGone(before: number, limit: number): Promise<{ id: TaskId; deletedAt: number }[]> {
    return new TaskStore(this.#deps.db).listGone(before, limit)
  }

  /** The rest of a deleted task. False when it was brought back meanwhile. */
  purge(id: TaskId, by: Caller): Promise<boolean> {
    return this.#deps.db.tx(async tx => {
      const task = await this.find(id)
      if (!task || task.deletedAt === null) return false
      await new TaskStore(tx).purge(id)
      const { handle, projectId } = task
      await this.#deps.events.publish(tx, TaskPurged, { taskId: id, handle }, by, projectId)
      return true
    })
  }

  async list(filter: TaskFilter, after: TaskCursor | undefined, limit: number, by: Caller): Promise<Task[]> {
    const own = confinedTo(by)
    const projectId = filter.projectId ?? own
    if (projectId === null) return []
    if (projectId !== undefined) {
      mayEnter(projectId, by)
      await this.#deps.projects.get(projectId)
    }
    return new TaskStore(this.#deps.db).list({ ...filter, projectId }, after, limit)
  }

  /**
   * Closed ones with this text, those that changed last first. Looked for a few at a time: there may be very many, and others have
   * their turn in between.
   */
  async findClosed(
    filter: Pick<TaskFilter, 'projectId' | 'search'>,
    limit: number,
    by: Caller,
    signal: AbortSignal,
  ): Promise<Task[]> {
    const found: Task[] = []
    let after: TaskCursor | undefined
    do {
      const downTo = await new TaskStore(this.#deps.db).endOfClosed(filter, after, LOOKED_THROUGH)
      const page = { ...filter, open: false, order: 'updated', downTo } as const
      found.push(...(await this.list(page, after, limit - found.length, by)))
      after = downTo
      await setImmediate()
      signal.throwIfAborted()
    } while (after !== undefined && found.length < limit)
    return found
  }

  listWork(
    projectId: ProjectId,
    agentId: AgentId,
    statuses: readonly TaskStatus[],
    limit: number,
    skip = 0,
  ): Promise<Task[]> {
    return new DueStore(this.#deps.db).listWork(projectId, agentId, statuses, limit, skip)
  }

  /** Agents with work to be started for, and where. */
  listDue(limit: number): Promise<{ agentId: AgentId; projectId: ProjectId }[]> {
    return new DueStore(this.#deps.db).listDue(limit)
  }

  /** Agents and the projects where they have such a task and could be started for it. */
  listPairs(
    statuses: readonly TaskStatus[],
  ): Promise<{ agentId: AgentId; projectId: ProjectId; directory: string; workspace: boolean }[]> {
    return new DueStore(this.#deps.db).listPairs(statuses)
  }

  /** Handles and ids. */
  async namesStartingWith(prefix: string, limit: number, by: Caller): Promise<string[]> {
    const projectId = confinedTo(by)
    if (projectId === null) return []
    const store = new TaskStore(this.#deps.db)
    const handles = await store.handlesStartingWith(prefix, limit, projectId)
    const ids = await store.idsStartingWith(prefix, limit - handles.length, projectId)
    return [...handles, ...ids]
  }

  /** Those of them that something is still expected of. */
  async openAmong(ids: readonly TaskId[]): Promise<Task[]> {
    const found = await Promise.all(ids.map(id => this.find(id)))
    return found.flatMap(task => (task && !isSettled(task) ? task : []))
  }

  add(fresh: NewTask, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, events, projects } = this.#deps
      const store = new TaskStore(tx)
      const project = await projects.get(fresh.projectId)
      const id = fresh.id ?? ids.next('tsk')
      // Also as a handle: a caller that says this word means that task.
      if (await this.idNamed(id)) throw ProjectError.TASK_EXISTS({ taskId: id })
      if (fresh.assigneeId !== null) await projects.mustBelong(fresh.projectId, fresh.assigneeId)
      const now = clock.now()
      const assignedAt = fresh.assigneeId === null ? null : now
      const number = await this.#nextNumber(tx, project)
      const open: Task = {
        ...fresh,
        id,
        number,
        handle: handleOf(project.key, number),
        parentId: null,
        branch: null,
        labels: labelled([], fresh.labels ?? [], []),
        assignedAt,
        blocked: null,
        isForPeople: fresh.status === 'blocked' && !isWorker(by),
        rank: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
        dependsOn: [],
        waits: false,
        facts: NO_FACTS,
      }
      const task = fresh.status === 'done' ? accepted(open, now) : open
      mayHaveLabels(task)
      await store.insert(task)
      const { handle, title, status, priority, assigneeId: agentId } = task
      const fact = { taskId: id, handle, title, status, priority, agentId }
      await events.publish(tx, TaskAdded, fact, by, task.projectId)
      return task
    })
  }

  /** One whose handle is not the id that a caller chose for a task: ids win, and it could not be called by it. */
  async #nextNumber(tx: Tx, { id, key }: Project): Promise<number> {
    for (;;) {
      const number = await new ProjectStore(tx).nextTask(id)
      if (!(await new TaskStore(tx).find(handleOf(key, number) as TaskId))) return number
    }
  }

  /** Moving to the status it has already changes nothing. */
  move(
    id: TaskId,
    to: TaskStatus,
    by: Caller,
    why: Blocked | null = null,
    children: WithOpenChildren = 'refuse',
  ): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.getThere(id, by)
      if (task.status === to && (why === null || isSame(task.blocked, why))) return task
      // A report is never refused.
      if (isWorker(by) && children !== 'wait') await this.#mayMove(tx, task, to, by)
      const open = to === 'done' && children !== 'ignore' ? await new LinkStore(tx).openChildren(task.id) : []
      if (open.length === 0) {
        const saved = await this.#save(tx, task, await this.#moved(task, to, why, by), by)
        // A report with words is handed on by the caller that has them.
        if (to === 'done' && children !== 'wait') await this.#done(saved, by)
        return saved
      }
      if (children === 'wait') return this.#save(tx, task, reportedEarly(task, this.#deps.clock.now()), by)
      throw OrderError.TASK_HAS_OPEN_CHILDREN({ handle: task.handle, children: open.map(({ handle }) => handle) })
    })
  }

  /** Of agents: reported work and what waits for a person are not moved, nor is what another has in progress, nor another's plan cancelled. */
  async #mayMove(tx: Tx, task: Task, to: TaskStatus, by: Caller): Promise<void> {
    const { handle, status, assigneeId, facts } = task
    const isOwn = assigneeId !== null && assigneeId === callerId(by)
    if (facts.reportedAt !== null || facts.acceptedAt !== null) {
      const { accept } = await this.#deps.projects.get(task.projectId)
      // Where its own word was enough, the agent may take it back, as long as nothing came of it.
      const isItsWord = isOwn && accept === 'report' && facts.queuedAt === null && facts.mergedAt === null
      if (!isItsWord) throw OrderError.TASK_REPORTED({ handle, stage: stageOf(task) })
    }
    mayOpen(task, by)
    if (isOwn) return
    if (to === 'cancelled' && (await new PlanStore(tx).makerOf(task.id)) !== callerName(by))
      throw OrderError.NOT_YOUR_PLAN({ handle })
    if (status === 'in_progress' && assigneeId !== null) throw OrderError.TASK_IN_HANDS({ handle, agentId: assigneeId })
  }

  #done(task: Task, by: Caller): Promise<void> {
    const { thread } = this.#deps
    return by.kind === 'operator' ? thread.doneByHand(task) : thread.doneByAgent(task, by)
  }

  /** A person who moves a task to done accepts it; an agent reports it. */
  async #moved(task: Task, to: TaskStatus, why: Blocked | null, by: Caller): Promise<Task> {
    const now = this.#deps.clock.now()
    if (to !== 'done') return moved(task, to, now, why)
    if (by.kind === 'operator') return accepted(task, now)
    const { accept } = await this.#deps.projects.get(task.projectId)
    return reported(task, accept, now)
  }

  /** What is found out about reported work. */
  change(id: TaskId, to: (task: Task, now: number) => Task, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.get(id, by)
      return this.#save(tx, task, to(task, this.#deps.clock.now()), by)
    })
  }

  /** What is left out stays as it is. */
  edit(id: TaskId, changes: TaskChanges, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.getThere(id, by)
      const after = edited(task, changes, this.#deps.clock.now())
      const fields = changedFields(task, after)
      if (fields.length === 0) return task
      mayHaveLabels(after)
      if (fields.includes('assignee_id') && after.assigneeId !== null)
        await this.#deps.projects.mustBelong(task.projectId, after.assigneeId)
      await new TaskStore(tx).saveEdited(after)
      await this.#publish(tx, task, after, by)
      await this.#deps.events.publish(tx, TaskEdited, { taskId: id, fields, title: after.title }, by, task.projectId)
      return after
    })
  }

  /** What became of reported work. Nothing happens to a task that is not done any more. */
  record(id: TaskId, facts: Partial<Facts>, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.get(id, by)
      if (task.status !== 'done') return task
      const next = { ...task, updatedAt: this.#deps.clock.now(), facts: { ...task.facts, ...facts } }
      return this.#save(tx, task, next, by)
    })
  }

  /** What the person says, and the way back to work, in one: none of them without the other. */
  answer(id: TaskId, answer: string, to: 'todo' | 'in_progress' | undefined, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, events } = this.#deps
      const task = await this.getThere(id, by)
      if (task.status !== 'blocked') throw ProjectError.TASK_NOT_BLOCKED({ taskId: task.handle, status: task.status })
      const given = { id: ids.next('ans'), taskId: id, question: task.blocked, answer, at: clock.now() }
      await new NoteStore(tx).insertAnswer(given)
      await events.publish(tx, TaskAnswered, { taskId: id }, by, task.projectId)
      return this.move(id, to ?? (task.assigneeId === null ? 'todo' : 'in_progress'), by)
    })
  }

  /** Task → how many open ones wait for it. */
  heldUpBy(ids: readonly TaskId[]): Promise<Map<TaskId, number>> {
    return new TaskStore(this.#deps.db).countHeldUp(ids)
  }

  assign(id: TaskId, agentId: AgentId | null, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.getThere(id, by)
      if (agentId !== null) await this.#deps.projects.mustBelong(task.projectId, agentId)
      if (task.assigneeId === agentId) return task
      mayChange(task, by)
      return this.#save(tx, task, assigned(task, agentId, this.#deps.clock.now()), by)
    })
  }

  /** Both at once, for a task that changes hands. `stopped`: why it is not worked on until a person says how it goes on. */
  passTo(task: Task, agentId: AgentId | null, to: TaskStatus, by: Caller, stopped?: Blocked): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      if (agentId !== null) await this.#deps.projects.mustBelong(task.projectId, agentId)
      mayChange(task, by)
      mayOpen(task, by)
      const now = this.#deps.clock.now()
      const kept = task.assigneeId === agentId ? task : assigned(task, agentId, now)
      if (stopped !== undefined) return this.#save(tx, task, moved(kept, 'blocked', now, stopped), by, false)
      return this.#save(tx, task, kept.status === to ? kept : moved(kept, to, now), by)
    })
  }

  /** By the hub, whichever agent went too far: no agent works on it until a person says how to go on. */
  stop(id: TaskId, why: Blocked, by: Caller): Promise<Task> {
    return this.#deps.db.tx(async tx => {
      const task = await this.get(id, by)
      return this.#save(tx, task, moved(task, 'blocked', this.#deps.clock.now(), why), by, false)
    })
  }

  /** `isByAgent`: it is an agent that says so, and not the hub on its behalf. */
  async #save(tx: Tx, before: Task, to: Task, by: Caller, isByAgent = isWorker(by)): Promise<Task> {
    const after = blockedBy(before, to, isByAgent)
    await new TaskStore(tx).save(after)
    await this.#publish(tx, before, after, by)
    return after
  }

  async #publish(tx: Tx, before: Task, after: Task, by: Caller): Promise<void> {
    const { events } = this.#deps
    const { id: taskId, projectId } = after
    if (after.assigneeId !== before.assigneeId) {
      const fact = { taskId, from: before.assigneeId, agentId: after.assigneeId }
      await events.publish(tx, TaskAssigned, fact, by, projectId)
    }
    if (after.status !== before.status || !isSame(after.blocked, before.blocked)) {
      const { blocked } = after
      const reason = blocked && blockedText(blocked).en
      const why = blocked === null || blocked.kind === 'said' ? {} : { why: blocked }
      const fact = { taskId, from: before.status, to: after.status, reason, ...why }
      await events.publish(tx, TaskMoved, fact, by, projectId)
    }
    if (before.status === 'in_progress' && (after.status !== before.status || after.assigneeId !== before.assigneeId))
      await this.#deps.workers.leave(after, before, by)
    if (isMissing(before) && !isMissing(after))
      for (const waiting of await new LinkStore(tx).freedBy(taskId))
        await events.publish(tx, TaskReady, { taskId: waiting }, by, projectId)
    if (isSettled(after) && !isSettled(before)) await this.#release(tx, after, by)
  }

  /** Its parent waited for it, if that was reported. */
  async #release(tx: Tx, { parentId }: Task, by: Caller): Promise<void> {
    const links = new LinkStore(tx)
    const { clock, projects } = this.#deps
    const parent = parentId === null ? undefined : await this.find(parentId)
    if (!parent || !isReportedEarly(parent) || (await links.openChildren(parent.id)).length > 0) return
    const { accept } = await projects.get(parent.projectId)
    await this.#save(tx, parent, reported(parent, accept, clock.now()), by)
  }
}

export function mustBeThere({ handle, deletedAt }: Pick<Task, 'handle' | 'deletedAt'>): void {
  if (deletedAt !== null) throw ProjectError.TASK_DELETED({ handle, at: iso(deletedAt) })
}

function mayHaveLabels({ handle, labels }: Task): void {
  if (labels.length > LABELS_MAX) throw ProjectError.TOO_MANY_LABELS({ handle, count: labels.length })
}
