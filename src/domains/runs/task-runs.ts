import { confinedTo } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import { CoreError, HubError } from '#contract/errors.ts'
import type { AgentId, RunId, SessionId, TaskId } from '#contract/id-types.ts'
import { type RunEnd, runEnd } from '#contract/run-end.ts'
import { RunEnded, RunError, RunProgressed, RunSettled, RunStarted, RunTaken } from '#contract/runs.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import { type Ending, type ProcessEnd, type RunFacts, type Start, sums, type TaskRun } from './model.ts'
import type { RunSession, Sessions, Tasks, Thread } from './ports.ts'
import { type TaskRunFilter, TaskRunStore } from './task-run-store.ts'

export type TaskRunsDeps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  sessions: Sessions
  tasks: Tasks
  thread: Thread
}

const MESSAGE_TOLD = 300

type FreshRun = Pick<
  TaskRun,
  'taskId' | 'agentId' | 'projectId' | 'sessionId' | 'epoch' | 'takenAt' | 'engine' | 'runner'
> &
  Partial<Pick<TaskRun, 'logPath'>>

export class TaskRuns {
  readonly #deps: TaskRunsDeps

  constructor(deps: TaskRunsDeps) {
    this.#deps = deps
  }

  async get(id: RunId, by: Caller): Promise<TaskRun> {
    const run = await new TaskRunStore(this.#deps.db).find(id)
    if (!run) throw RunError.EXECUTION_NOT_FOUND({ runId: id })
    const own = confinedTo(by)
    if (own !== undefined && own !== run.projectId)
      throw CoreError.NOT_ALLOWED({
        what: {
          en: `Execution ${id} belongs to another project.`,
          ja: `実行記録 ${id} は別のプロジェクトのものです。`,
        },
      })
    return run
  }

  find(id: RunId): Promise<TaskRun | undefined> {
    return new TaskRunStore(this.#deps.db).find(id)
  }

  async list(filter: TaskRunFilter, before: string | undefined, limit: number, by: Caller): Promise<TaskRun[]> {
    const projectId = confinedTo(by)
    if (projectId === null) return []
    return new TaskRunStore(this.#deps.db).list({ ...filter, projectId: projectId ?? filter.projectId }, before, limit)
  }

  hasWorkedOn(agentId: AgentId, taskId: TaskId, since: number): Promise<boolean> {
    return new TaskRunStore(this.#deps.db).hasWorkedOn(agentId, taskId, since)
  }

  /** Of this task, those that have not ended. */
  listOpenOn(taskId: TaskId): Promise<TaskRun[]> {
    return new TaskRunStore(this.#deps.db).listOpenOn(taskId)
  }

  /** Each time that an agent took one of these tasks. */
  listTaken(taskIds: readonly TaskId[]) {
    return new TaskRunStore(this.#deps.db).listTaken(taskIds)
  }

  /** What works on these tasks now: task → run. */
  async openOf(taskIds: readonly TaskId[]): Promise<Map<TaskId, TaskRun>> {
    const open = await new TaskRunStore(this.#deps.db).listOpenOf(taskIds)
    return new Map(open.map(run => [run.taskId, run]))
  }

  /** What these agents work on now. */
  listOpenBy(agentIds: readonly AgentId[]): Promise<TaskRun[]> {
    return new TaskRunStore(this.#deps.db).listOpenBy(agentIds)
  }

  /** A Runner may start an engine for this task. From now on there is a run to show, whatever becomes of the start. */
  begin(start: Start & { taskId: TaskId; engine: string; runner: string }, by: Caller): Promise<TaskRun> {
    return this.#deps.db.tx(tx => this.#insert(tx, { ...start, sessionId: null, takenAt: null }, by))
  }

  /** The agent that was started has signed in as another instance than the Runner's: by its passkey, without the ticket. */
  rename(start: Start, epoch: number): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      const run = untaken(await store.listOf(start))
      if (run) await store.save({ ...run, epoch })
    })
  }

  /** Where the output of a process is kept, on the machine of its Runner. */
  logged(start: Start, logPath: string): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      for (const run of await store.listOf(start)) if (run.logPath === null) await store.save({ ...run, logPath })
    })
  }

  /** What a process has output so far. As at its end, it is recorded for the first run of the process. */
  progressed(start: Start, facts: RunFacts, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      const run = (await store.listOf(start)).at(-1)
      if (!run || JSON.stringify(run.facts) === JSON.stringify(facts)) return
      await store.saveFacts(run.id, facts)
      if (run.endedAt !== null) return
      const files = facts.created.length + facts.edited.length + facts.deleted.length
      const message = facts.lastMessage?.slice(0, MESSAGE_TOLD) ?? null
      const fact = { runId: run.id, taskId: run.taskId, crewId: null, files, message, ...sums(facts) }
      await this.#deps.events.publish(tx, RunProgressed, fact, by, run.projectId)
    })
  }

  /**
   * The process is gone. What it did is recorded for all its runs, what it cost only for the first; a run that was not reported
   * ends with it.
   */
  processEnded(start: Start, { end, exitCode, logPath, facts }: ProcessEnd, by: Caller): Promise<TaskRun | undefined> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      const runs = await store.listOf(start)
      for (const [index, run] of runs.entries()) {
        const isFirst = index === runs.length - 1
        const known: TaskRun = {
          ...run,
          exitCode: run.exitCode ?? exitCode,
          logPath: run.logPath ?? logPath,
          facts: (isFirst ? facts : null) ?? run.facts,
        }
        await store.save(known)
        if (run.endedAt === null) await this.end(known, { outcome: 'error', end }, by)
        else {
          const fact = { runId: run.id, taskId: run.taskId, crewId: null }
          await this.#deps.events.publish(tx, RunSettled, fact, by, run.projectId)
        }
      }
      return runs[0] && store.find(runs[0].id)
    })
  }

  /** The session's report ends all it began. It speaks of the last one; of others only where the task has moved on. */
  report(session: RunSession, ending: Ending, by: Caller): Promise<TaskRun | undefined> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      const [last, ...earlier] = await store.listOpen(session.id)
      for (const run of earlier) {
        const task = await this.#deps.tasks.find(run.taskId)
        const isLeft = task?.assigneeId === session.agentId
        await this.end(run, isLeft ? { outcome: 'error', end: runEnd('no-report') } : ending, by)
      }
      // It was started for a task, did not ask for it, and speaks of none.
      const idle = untaken(await store.listOf(session))
      if (idle) await this.end(idle, { ...ending, end: runEnd('no-task') }, by)
      return last && this.end(last, ending, by)
    })
  }

  /** The session, or the start that never became one, is over, and what it had open was never reported. */
  abandon(sessionId: SessionId | null, start: Start, end: RunEnd, by: Caller, exitCode?: number): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      const ofSession = sessionId === null ? [] : await store.listOpen(sessionId)
      const ids = new Set(ofSession.map(({ id }) => id))
      const others = (await store.listOf(start)).filter(run => run.endedAt === null && !ids.has(run.id))
      const ending: Ending = { outcome: 'error', end, ...(exitCode !== undefined && { exitCode }) }
      for (const run of [...ofSession, ...others]) await this.end(run, ending, by)
    })
  }

  /** Whether a person ended the work of this instance. */
  async wasStopped(start: Start): Promise<boolean> {
    const [last] = await new TaskRunStore(this.#deps.db).listOf(start)
    return last?.end?.kind === 'stopped' || last?.end?.kind === 'task-left'
  }

  /** The open run of this session on this task: the one it was started as, else one that starts now. */
  open(session: RunSession, taskId: TaskId, by: Caller): Promise<TaskRun> {
    return this.#deps.db.tx(async tx => {
      const store = new TaskRunStore(tx)
      const open = (await store.listOpen(session.id)).find(run => run.taskId === taskId)
      if (open) return open
      const { id: sessionId, agentId, projectId, epoch } = session
      const takenAt = this.#deps.clock.now()
      const siblings = await store.listOf(session)
      const start = untaken(siblings)
      if (!start) {
        // A further task of the same process.
        const { engine = null, runner = null, logPath = null } = siblings[0] ?? {}
        const origin = { agentId, projectId, epoch, engine, runner, logPath }
        return this.#insert(tx, { ...origin, taskId, sessionId, takenAt }, by)
      }
      const run: TaskRun = { ...start, taskId, sessionId, takenAt }
      await store.save(run)
      const fact = { runId: run.id, taskId, crewId: null, agentId, startedFor: start.taskId }
      await this.#deps.events.publish(tx, RunTaken, fact, by, projectId)
      return run
    })
  }

  /** What this session has taken last and not reported. */
  async inHand(sessionId: SessionId): Promise<TaskId | undefined> {
    const [last] = await new TaskRunStore(this.#deps.db).listOpen(sessionId)
    return last?.taskId
  }

  /** Ends it once; an ended run keeps its first ending. */
  end(run: TaskRun, ending: Ending, by: Caller): Promise<TaskRun> {
    return this.#deps.db.tx(async tx => {
      if (run.endedAt !== null) return run
      const { clock } = this.#deps
      const took = run.beganAt === null ? null : Math.max(0, clock.steady() - run.beganAt)
      const ended: TaskRun = { ...run, durationMs: took, ...ending, endedAt: clock.now() }
      await new TaskRunStore(tx).save(ended)
      const reason = ending.end?.kind ?? null
      const used = ended.facts ? sums(ended.facts) : {}
      const said = { outcome: ending.outcome, reason, ...(ended.result !== null && { result: ended.result }) }
      const fact = { runId: run.id, taskId: run.taskId, crewId: null, ...said, ...used }
      await this.#deps.events.publish(tx, RunEnded, fact, by, run.projectId)
      if (ending.outcome === 'error' && run.takenAt !== null)
        await this.#deps.thread.ended({ id: run.taskId, projectId: run.projectId }, run.id)
      return ended
    })
  }

  /** `report_execution_start`: an agent itself says that it begins. */
  startByToken(token: string, taskId: TaskId, by: Caller): Promise<TaskRun> {
    return this.#deps.db.tx(async () => {
      const session = await this.#sessionOr(token, by, () => RunError.INVALID_SESSION_OR_TASK())
      const task = await this.#deps.tasks.find(taskId)
      if (task?.projectId !== session.projectId || task.assigneeId !== session.agentId)
        throw RunError.INVALID_SESSION_OR_TASK()
      return this.open(session, taskId, by)
    })
  }

  /** `report_execution_complete`: said twice, the first one stands. */
  endByToken(token: string, runId: RunId, ending: Omit<Ending, 'outcome'>, by: Caller): Promise<TaskRun> {
    return this.#deps.db.tx(async tx => {
      const session = await this.#sessionOr(token, by, () => RunError.INVALID_EXECUTION_OR_SESSION())
      const run = await new TaskRunStore(tx).find(runId)
      if (run?.agentId !== session.agentId || run.projectId !== session.projectId)
        throw RunError.INVALID_EXECUTION_OR_SESSION()
      const outcome = ending.exitCode === 0 ? 'completed' : 'failed'
      return this.end(run, { ...ending, outcome, end: runEnd('reported') }, by)
    })
  }

  async #insert(tx: Tx, fresh: FreshRun, by: Caller): Promise<TaskRun> {
    const run: TaskRun = {
      logPath: null,
      ...fresh,
      id: this.#deps.ids.next('exec'),
      startedAt: this.#deps.clock.now(),
      beganAt: this.#deps.clock.steady(),
      endedAt: null,
      outcome: null,
      result: null,
      summary: null,
      exitCode: null,
      durationMs: null,
      facts: null,
      end: null,
    }
    await new TaskRunStore(tx).insert(run)
    const { engine } = run
    const fact = { runId: run.id, taskId: run.taskId, crewId: null, agentId: run.agentId, engine }
    await this.#deps.events.publish(tx, RunStarted, fact, by, run.projectId)
    return run
  }

  async #sessionOr(token: string, by: Caller, refusal: () => HubError): Promise<RunSession> {
    try {
      return await this.#deps.sessions.session(token, by)
    } catch (error) {
      // Here the wire knows one sentence for a bad token and a bad id.
      if (error instanceof HubError && error.kind === 'unauthenticated') throw refusal()
      throw error
    }
  }
}

/** What was started and whose agent has not got a task yet. */
function untaken(runs: readonly TaskRun[]): TaskRun | undefined {
  return runs.find(run => run.endedAt === null && run.takenAt === null)
}
