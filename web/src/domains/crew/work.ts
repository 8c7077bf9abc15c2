// One row of this view: what `work.list` answers, in the words of the page.
import type { Usage } from '#contract/usage-text.ts'
import type { ApiOutput } from '#contract/api.ts'

export type WorkStatus =
  | ('queued' | 'starting' | 'running' | 'waiting' | 'idle' | 'reported')
  | ('completed' | 'asked' | 'failed' | 'timed_out' | 'cancelled')

export type WorkCrew = { crew_id: string; description: string; mode: 'concurrent' | 'sequential' }

export type WorkView = {
  id: string
  /** Of a crew, on a task, or in a terminal. */
  kind: 'run' | 'execution' | 'tab'
  status: WorkStatus
  title: string
  started_by: string
  crew_id: string | null
  stage: number | null
  project_id: string | null
  agent_id: string | null
  task: { task_id: string; handle: string; title: string } | null
  engine: string | null
  model: string | null
  created_at: string
  started_at: string | null
  ended_at: string | null
  stop_asked: boolean
  last_message: string | null
  tool_calls: number | null
  tokens: Usage | null
  cost_usd: number | null
}

type Told = ApiOutput<'work.list'>['work'][number]

const KINDS = { task: 'execution', crew: 'run', tab: 'tab' } as const
const STATUSES: Record<string, WorkStatus> = { error: 'failed' }

/** A run that ended with a question has not failed. */
export const statusOf = (status: string, result: string | null = null): WorkStatus =>
  result === 'blocked' ? 'asked' : (STATUSES[status] ?? (status as WorkStatus))

export function itemOf(told: Told): WorkView {
  const { work_id, kind, name, status, crew, task_id, handle, title, started_at, last_action, reason } = told
  return {
    ...{
      id: work_id,
      kind: KINDS[kind],
      title: name,
      status: statusOf(status, told.result),
      started_by: told.started_by,
    },
    ...{ crew_id: crew?.crew_id ?? null, stage: crew?.stage ?? null, project_id: told.project_id },
    ...{ agent_id: told.agent_id, engine: told.engine, model: told.model, created_at: told.created_at },
    task: task_id === null || handle === null ? null : { task_id, handle, title: title ?? '' },
    started_at: status === 'queued' ? null : started_at,
    ended_at: told.ended_at,
    stop_asked: told.stop_asked,
    last_message: last_action ?? (told.ended_at === null ? null : reason),
    ...{ tool_calls: told.tool_calls, tokens: told.tokens, cost_usd: told.cost_usd },
  }
}

/** Of tabs that have ended their own view tells. */
export const isShown = ({ kind, ended_at }: Told) => kind !== 'tab' || ended_at === null

export function crewsOf(work: readonly Told[]): WorkCrew[] {
  return [...new Map(work.flatMap(({ crew }) => (crew ? [[crew.crew_id, crew] as const] : []))).values()]
}
