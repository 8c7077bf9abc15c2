// Finds the log of whatever has one: a run of a crew, an execution of a task, a check.
import type { Caller } from '#contract/caller.ts'
import type { StoredEvent } from '#contract/events.ts'
import type { EvidenceId, RunId } from '#contract/id-types.ts'
import { pathIn } from '#contract/ids.ts'
import { RunEnded, RunError } from '#contract/runs.ts'
import { CheckEnded } from '#contract/thread-events.ts'
import type { EventLog } from '#kernel/events.ts'
import type { CrewRuns } from './crew-runs.ts'
import type { TaskRun } from './model.ts'
import type { CheckLogs } from './ports.ts'
import type { FollowedRun } from './read-log.ts'
import type { TaskRuns } from './task-runs.ts'

export type RunLog = FollowedRun & { file: string }

export type LogServices = {
  crewRuns: Pick<CrewRuns, 'find'>
  runs: Pick<TaskRuns, 'get'>
  evidence: CheckLogs
}

export class RunLogs {
  readonly #folder: string
  readonly #instanceLog: (run: TaskRun) => string
  readonly #events: Pick<EventLog, 'subscribe'>

  /** `instanceLog`: what the instance wrote in which an execution of an agent's happened. */
  constructor(folder: string, instanceLog: (run: TaskRun) => string, events: Pick<EventLog, 'subscribe'>) {
    this.#folder = folder
    this.#instanceLog = instanceLog
    this.#events = events
  }

  fileOf(id: RunId): string {
    return pathIn(this.#folder, `${id}.log`)
  }

  /** Throws when there is no such run. */
  async of({ crewRuns, runs, evidence }: LogServices, id: string, by: Caller): Promise<RunLog> {
    if (id.startsWith('evd_')) {
      const onEnd = this.#onEvent(({ type, payload }) => type === CheckEnded.type && has(payload, 'evidenceId', id))
      return { ...(await evidence.logOf(id as EvidenceId)), onEnd }
    }
    const runId = id as RunId
    const onEnd = this.#onEvent(({ type, payload }) => type === RunEnded.type && has(payload, 'runId', id))
    if (id.startsWith('exec_')) {
      const execution = await runs.get(runId, by)
      const isOver = async () => (await runs.get(runId, by)).endedAt !== null
      return { file: this.#instanceLog(execution), isOver, onEnd }
    }
    if (!(await crewRuns.find(runId))) throw RunError.RUN_NOT_FOUND({ runId: id })
    const isOver = async () => (await crewRuns.find(runId))?.endedAt !== null
    return { file: this.fileOf(runId), isOver, onEnd }
  }

  #onEvent(isMeant: (event: StoredEvent) => boolean): FollowedRun['onEnd'] {
    return listener =>
      this.#events.subscribe(event => {
        if (isMeant(event)) listener()
      })
  }
}

function has(payload: unknown, field: string, value: string): boolean {
  return (payload as Record<string, unknown>)[field] === value
}
