import { confinedTo } from '#contract/access.ts'
import type { Caller } from '#contract/caller.ts'
import { CoreError, HubError } from '#contract/errors.ts'
import { RunEnded, RunError, RunStarted } from '#contract/runs.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Ending, Run } from './model.ts'
import type { RunSession, Sessions, Tasks } from './ports.ts'
import { type RunFilter, RunStore } from './store.ts'

export type RunsDeps = { db: Db; events: EventLog; clock: HubTime; ids: Ids; sessions: Sessions; tasks: Tasks }

export class Runs {
  readonly #deps: RunsDeps

  constructor(deps: RunsDeps) {
    this.#deps = deps
  }

  async get(id: string, by: Caller): Promise<Run> {
    const run = await new RunStore(this.#deps.db).find(id)
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

  async list(filter: RunFilter, before: string | undefined, limit: number, by: Caller): Promise<Run[]> {
    const projectId = confinedTo(by)
    if (projectId === null) return []
    return new RunStore(this.#deps.db).list({ ...filter, projectId }, before, limit)
  }

  /** The session's report ends all it began. It speaks of the last one; of others only where the task has moved on. */
  report(session: RunSession, ending: Ending, by: Caller): Promise<Run | undefined> {
    return this.#deps.db.tx(async tx => {
      const [last, ...earlier] = await new RunStore(tx).listOpen(session.id)
      for (const run of earlier) {
        const task = await this.#deps.tasks.find(run.taskId)
        await this.end(run, task?.assigneeId === session.agentId ? { outcome: 'error' } : ending, by)
      }
      return last && this.end(last, ending, by)
    })
  }

  /** The session is over, and what it had open was never reported. */
  abandon(sessionId: string, by: Caller, known: Omit<Ending, 'outcome'> = {}): Promise<void> {
    return this.#deps.db.tx(async tx => {
      for (const run of await new RunStore(tx).listOpen(sessionId))
        await this.end(run, { outcome: 'error', ...known }, by)
    })
  }

  /** The open run of this session on this task, started now when there is none. */
  open(session: RunSession, taskId: string, by: Caller): Promise<Run> {
    return this.#deps.db.tx(async tx => {
      const store = new RunStore(tx)
      const open = (await store.listOpen(session.id)).find(run => run.taskId === taskId)
      if (open) return open
      const run: Run = {
        id: this.#deps.ids.next('exec'),
        taskId,
        agentId: session.agentId,
        projectId: session.projectId,
        sessionId: session.id,
        epoch: session.epoch,
        startedAt: this.#deps.clock.now(),
        beganAt: this.#deps.clock.steady(),
        endedAt: null,
        outcome: null,
        result: null,
        summary: null,
        exitCode: null,
        durationMs: null,
        logPath: null,
      }
      await store.insert(run)
      const fact = { runId: run.id, taskId, crewId: null, agentId: run.agentId }
      await this.#deps.events.publish(tx, RunStarted, fact, by, run.projectId)
      return run
    })
  }

  /** Ends it once; an ended run keeps its first ending. */
  end(run: Run, ending: Ending, by: Caller): Promise<Run> {
    return this.#deps.db.tx(async tx => {
      if (run.endedAt !== null) return run
      const { clock } = this.#deps
      const took = run.beganAt === null ? null : Math.max(0, clock.steady() - run.beganAt)
      const ended: Run = { ...run, durationMs: took, ...ending, endedAt: clock.now() }
      await new RunStore(tx).save(ended)
      const fact = { runId: run.id, taskId: run.taskId, crewId: null, outcome: ending.outcome, reason: null }
      await this.#deps.events.publish(tx, RunEnded, fact, by, run.projectId)
      return ended
    })
  }

  /** `report_execution_start`: an agent says by itself that it begins. */
  startByToken(token: string, taskId: string, by: Caller): Promise<Run> {
    return this.#deps.db.tx(async () => {
      const session = await this.#sessionOr(token, by, () => RunError.INVALID_SESSION_OR_TASK())
      const task = await this.#deps.tasks.find(taskId)
      if (task?.projectId !== session.projectId || task.assigneeId !== session.agentId)
        throw RunError.INVALID_SESSION_OR_TASK()
      return this.open(session, taskId, by)
    })
  }

  /** `report_execution_complete`: said twice, the first one stands. */
  endByToken(token: string, runId: string, ending: Omit<Ending, 'outcome'>, by: Caller): Promise<Run> {
    return this.#deps.db.tx(async tx => {
      const session = await this.#sessionOr(token, by, () => RunError.INVALID_EXECUTION_OR_SESSION())
      const run = await new RunStore(tx).find(runId)
      if (run?.agentId !== session.agentId || run.projectId !== session.projectId)
        throw RunError.INVALID_EXECUTION_OR_SESSION()
      return this.end(run, { ...ending, outcome: ending.exitCode === 0 ? 'completed' : 'failed' }, by)
    })
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
