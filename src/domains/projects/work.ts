// The verbs of an agent at work: get the task, report it.
import type { Caller } from '#contract/caller.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { FittingDecision } from '#contract/memory.ts'
import type { ReportResult } from '#contract/projects.ts'
import type { Db } from '#kernel/db/db.ts'
import { type Handoff, type Note, statusAfter, type Task, type TaskAnswer } from './model.ts'
import type { Decisions, Runs, Sessions, WorkSession } from './ports.ts'
import type { Projects } from './projects.ts'
import { HandoffStore, TaskStore } from './store.ts'
import type { Tasks } from './tasks.ts'

type Deps = { db: Db; projects: Projects; tasks: Tasks; sessions: Sessions; runs: Runs; decisions: Decisions }

export type Assignment = {
  task: Task
  directory: string | null
  note: Note | undefined
  /** What a person said to it last. */
  answer: TaskAnswer | undefined
  handoff: Handoff | undefined
  decisions: FittingDecision[]
}
export type Report = { result: ReportResult; summary: string | null; nextSteps: string | null }

export class Work {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The most pressing task in progress; taking it opens the run it is done in. */
  take(token: string, by: Caller): Promise<Assignment | undefined> {
    return this.#deps.db.tx(async tx => {
      const session = await this.#deps.sessions.session(token, by)
      const [task] = await this.#deps.tasks.listWork(session.projectId, session.agentId, ['in_progress'], 1)
      if (!task) return undefined
      await this.#deps.runs.open(session, task.id, actor(session, by))
      const project = await this.#deps.projects.get(task.projectId)
      const note = await new TaskStore(tx).latestNote(task.id)
      const [answer] = await new TaskStore(tx).answers(task.id, 1)
      const handoff = await new HandoffStore(tx).newest(task.id, session.agentId)
      const decisions = await this.#deps.decisions.fitting(project.number, task)
      return { task, directory: project.directory, note, answer, handoff, decisions }
    })
  }

  pending(
    token: string,
    skip: number,
    limit: number,
    by: Caller,
  ): Promise<{ tasks: Task[]; directory: string | null }> {
    return this.#deps.db.tx(async () => {
      const { projectId, agentId } = await this.#deps.sessions.session(token, by)
      const project = await this.#deps.projects.get(projectId)
      const tasks = await this.#deps.tasks.listWork(projectId, agentId, ['todo', 'in_progress'], limit, skip)
      return { tasks, directory: project.directory }
    })
  }

  /** Closes what `take` opened and signs the agent out. The same report again changes nothing. */
  report(token: string, report: Report, by: Caller): Promise<void> {
    return this.#deps.db.tx(async () => {
      const body = JSON.stringify(report)
      if ((await this.#deps.sessions.reportOf(token)) === body) return
      const session = await this.#deps.sessions.session(token, by)
      const self = actor(session, by)
      const taskId = await this.#deps.runs.close(session, report.result, report.summary, self)
      if (taskId !== undefined) await this.#settle(taskId, session, report, self)
      await this.#deps.sessions.complete(session, body, self)
    })
  }

  /** Who acts on a connection from now on: one that reported in one project may be at work in another. */
  signedInOn(connectionSecret: string): Promise<Caller | undefined> {
    return this.#deps.sessions.onConnection(connectionSecret)
  }

  /** A task that changed hands or status meanwhile is no longer this agent's to close. */
  async #settle(taskId: TaskId, session: WorkSession, report: Report, by: Caller): Promise<void> {
    const task = await this.#deps.tasks.find(taskId)
    if (task?.assigneeId !== session.agentId || task.status !== 'in_progress') return
    await this.#deps.tasks.move(
      taskId,
      statusAfter(report.result),
      by,
      report.result === 'success' ? null : report.summary,
    )
    if (report.nextSteps === null) return
    const note = { progress: report.summary, findings: null, blockers: null, nextSteps: report.nextSteps }
    await this.#deps.tasks.saveNote(taskId, note, by)
  }
}

/** A token says who works, also on a connection that has no identity of its own. */
function actor(session: WorkSession, by: Caller): Caller {
  if (by.kind === 'agent') return by
  return { kind: 'agent', agentId: session.agentId, projectId: session.projectId, epoch: 0 }
}
