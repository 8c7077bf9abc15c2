// The verbs of an agent at work: get the task, report it.
import type { Caller } from '#contract/caller.ts'
import { HubError, type Lang } from '#contract/errors.ts'
import type { RunId, TaskId } from '#contract/id-types.ts'
import type { FittingDecision, TaskDecision } from '#contract/memory.ts'
import type { ReportResult } from '#contract/projects.ts'
import { inWords } from '#contract/why.ts'
import type { Db } from '#kernel/db/db.ts'
import { HandoffStore } from './handoff-store.ts'
import { type Handoff, type Note, statusAfter, type Task, type TaskAnswer } from './model.ts'
import type { Answer, Briefing, Decisions, Runs, Sessions, Starts, Thread, WorkSession } from './ports.ts'
import type { Links } from './links.ts'
import type { Notes } from './notes.ts'
import { NoteStore } from './note-store.ts'
import type { Projects } from './projects.ts'
import type { Tasks } from './tasks.ts'

type Deps = {
  db: Db
  projects: Projects
  tasks: Tasks
  notes: Notes
  links: Links
  sessions: Sessions
  runs: Runs
  decisions: Decisions
  thread: Thread
  starts: Starts
}

/** Where a session works: in the workspace of one task, or, without a task, on nothing. Undefined: in the project's folder. */
export type Place = { task: Task; directory: string } | 'nothing' | undefined

export type Assignment = {
  task: Task
  directory: string | null
  note: Note | undefined
  /** What a person said to it last. */
  answer: TaskAnswer | undefined
  handoff: Handoff | undefined
  decisions: FittingDecision[]
  briefing: Briefing
  /** Decisions that it followed and that were replaced since. */
  replaced: TaskDecision[]
}
export type Report = {
  result: ReportResult
  summary: string | null
  nextSteps: string | null
  cites: readonly number[]
  answers?: readonly Answer[]
}

/** An agent has a handful of tasks in progress. */
const WORK = 50

export class Work {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Where the session is to work, made ready. A process that was started in a workspace has that task and no other. Slow; not for use
   * inside a transaction.
   */
  async place(token: string, by: Caller, opener: Caller | undefined): Promise<Place> {
    const { sessions, projects, starts, thread } = this.#deps
    const session = await sessions.find(token)
    const project = session && (await projects.find(session.projectId))
    if (!project) return undefined
    const bound = await starts.boundTo(session)
    if (bound === null || (bound === undefined && project.workspace !== 'task')) return undefined
    const task = bound === undefined ? await this.#firstFree(session, opener) : await this.#ownTask(bound, session)
    if (!task) return 'nothing'
    return { task, directory: await thread.folderOf(task, actor(session, by)) }
  }

  /** For an agent that came on its own. Where others work in all of them it hears who does in the most pressing one. */
  async #firstFree(session: WorkSession, opener: Caller | undefined): Promise<Task | undefined> {
    const { tasks, thread } = this.#deps
    const { projectId, agentId } = session
    const work = await tasks.listWork(projectId, agentId, ['in_progress'], WORK)
    let refusal: HubError | undefined
    for (const task of work) {
      try {
        await thread.mustBeFree(task, agentId, opener)
        return task
      } catch (error) {
        if (!(error instanceof HubError)) throw error
        refusal ??= error
      }
    }
    if (refusal) throw refusal
    return this.#inHand(session)
  }

  async #ownTask(id: TaskId, { agentId }: WorkSession): Promise<Task | undefined> {
    const task = await this.#deps.tasks.find(id)
    return task?.status === 'in_progress' && task.assigneeId === agentId ? task : undefined
  }

  /** The most pressing task in progress, or that of the workspace; taking it opens the run it is done in. */
  take(token: string, place: Place, by: Caller, lang: Lang, opener?: Caller): Promise<Assignment | undefined> {
    return this.#deps.db.tx(async tx => {
      const session = await this.#deps.sessions.session(token, by)
      if (place === 'nothing') return undefined
      const task = place ? await this.#ownTask(place.task.id, session) : await this.#pressing(session)
      if (!task) return undefined
      // A tab may have been launched there since it was looked for.
      if (place) await this.#deps.thread.mustBeFree(task, session.agentId, opener)
      await this.#deps.runs.open(session, task.id, actor(session, by))
      const project = await this.#deps.projects.get(task.projectId)
      const note = await new NoteStore(tx).latestNote(task.id)
      const [answer] = await new NoteStore(tx).answers(task.id, 1)
      const handoff = await new HandoffStore(tx).newest(task.id, session.agentId)
      const decisions = await this.#deps.decisions.fitting(project.number, task)
      const briefing = await this.#deps.thread.briefing(task.id, lang)
      const known = await this.#deps.decisions.ofTask(task.id)
      const replaced = known.flatMap(({ decision_id, decision, cited, superseded_by }) =>
        superseded_by === undefined ? [] : { decision_id, decision, cited, superseded_by },
      )
      const directory = place?.directory ?? project.directory
      return { task, directory, note, answer, handoff, decisions, briefing, replaced }
    })
  }

  async #pressing(session: WorkSession): Promise<Task | undefined> {
    const [ready] = await this.#deps.tasks.listWork(session.projectId, session.agentId, ['in_progress'], 1)
    return ready ?? this.#inHand(session)
  }

  /** What it has begun stays its own, also when it was made to wait for another since. */
  async #inHand(session: WorkSession): Promise<Task | undefined> {
    const id = await this.#deps.runs.inHand(session)
    return id === undefined ? undefined : this.#ownTask(id, session)
  }

  /** What the agent has in progress and is not given yet. */
  async held(token: string, by: Caller): Promise<Awaited<ReturnType<Links['held']>>> {
    const { projectId, agentId } = await this.#deps.sessions.session(token, by)
    return this.#deps.links.held(projectId, agentId)
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
      const closed = await this.#deps.runs.close(session, report.result, report.summary, self)
      if (closed && report.cites.length > 0) {
        const { number } = await this.#deps.projects.get(session.projectId)
        await this.#deps.decisions.cite(closed.taskId, number, report.cites)
      }
      if (closed) await this.#settle(closed, session, report, self)
      await this.#deps.sessions.complete(session, body, self)
    })
  }

  /** Who acts on a connection from now on: one that reported in one project may be at work in another. */
  signedInOn(connectionSecret: string): Promise<Caller | undefined> {
    return this.#deps.sessions.onConnection(connectionSecret)
  }

  /** A task that changed hands or status meanwhile is no longer this agent's to close. */
  async #settle(
    { taskId, runId }: { taskId: TaskId; runId: RunId },
    session: WorkSession,
    report: Report,
    by: Caller,
  ): Promise<void> {
    const task = await this.#deps.tasks.find(taskId)
    if (task?.assigneeId !== session.agentId) return
    if (task.status === 'done' && task.facts.reportedAt !== null && report.result === 'success') {
      const { summary, answers = [] } = report
      return this.#deps.thread.described(task, { runId, summary, answers, cites: report.cites.map(String) }, by)
    }
    if (task.status !== 'in_progress') return
    const why = report.result === 'success' ? null : inWords(report.summary)
    // A report is never refused: with open sub-tasks it is kept until the last of them is accepted.
    await this.#deps.tasks.move(taskId, statusAfter(report.result), by, why, 'wait')
    const { result, summary, answers = [] } = report
    const cites = report.cites.map(String)
    await this.#deps.thread.reported(task, { runId, result, summary, answers, cites }, by)
    if (report.nextSteps === null) return
    const note = { progress: report.summary, findings: null, blockers: null, nextSteps: report.nextSteps }
    await this.#deps.notes.save(taskId, note, by)
  }
}

/** A token says who works, also on a connection that has no identity of its own. */
function actor(session: WorkSession, by: Caller): Caller {
  if (by.kind === 'agent') return by
  return { kind: 'agent', agentId: session.agentId, projectId: session.projectId, epoch: 0 }
}
