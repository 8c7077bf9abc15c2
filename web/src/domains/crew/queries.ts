// What this domain asks the hub for. What is at work is one answer; progress is put into it as it is heard.
import type { Usage } from '#contract/usage-text.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { ApiOutput } from '#contract/api.ts'
import { crewsOf, isShown, itemOf, statusOf, type WorkCrew, type WorkView } from './work.ts'
import { call } from '../../hub/call.ts'
import type { Bar } from './timeline-model.ts'
import { WORKING_KEY } from './working.ts'

export const keys = {
  work: ['crew-work'] as const,
  run: (id: string) => ['crew-run', id] as const,
  crew: (id: string) => ['crew-one', id] as const,
  agent: (id: string) => ['crew-agent', id] as const,
  roles: ['crew-roles'] as const,
  working: WORKING_KEY,
}

const DAY_MS = 86_400_000
const AGENT_RUNS = 20
const MOST_ENDED = 200

export type Work = { work: readonly WorkView[]; crews: readonly WorkCrew[]; seq: number }
export type CrewShown = ApiOutput<'crew.show'>
export type Role = ApiOutput<'role.list'>['roles'][number]

export const useWork = () =>
  useQuery({
    queryKey: keys.work,
    queryFn: async ({ signal }): Promise<Work> => {
      const since = new Date(Date.now() - DAY_MS).toISOString()
      const { value, seq } = await call('work.list', { ended: MOST_ENDED }, { signal })
      const shown = value.work.filter(one => isShown(one) && (one.ended_at === null || one.ended_at > since))
      return { work: shown.map(itemOf), crews: crewsOf(shown), seq }
    },
  })

export const useRun = (id: string) => useQuery({ queryKey: keys.run(id), queryFn: ({ signal }) => loadRun(id, signal) })

export const useCrew = (id: string) =>
  useQuery({
    queryKey: keys.crew(id),
    queryFn: async ({ signal }) => (await call('crew.show', { crew_id: id }, { signal })).value,
  })

export const useRoles = () =>
  useQuery({
    queryKey: keys.roles,
    // Nobody tells when a program was installed: looked at again each time, which the hub answers from what it knows.
    staleTime: 0,
    queryFn: async ({ signal }) => (await call('role.list', {}, { signal })).value.roles,
  })

/** Every engine is asked again, which takes a moment. */
export async function checkRoles(queries: QueryClient): Promise<void> {
  const { roles } = (await call('role.list', { refresh: true })).value
  queries.setQueryData(keys.roles, roles)
}

export const useAgentWork = (id: string) =>
  useQuery({
    queryKey: keys.agent(id),
    queryFn: async ({ signal }) => {
      return (await call('work.list', { agent_id: id, ended: AGENT_RUNS }, { signal })).value.work.map(itemOf)
    },
  })

/** A run of a crew or an execution of a task, in one shape. */
export type RunShown = {
  id: string
  title: string
  status: WorkView['status']
  engine: string | null
  model: string | null
  crewId: string | null
  stage: number | null
  taskId: string | null
  agentId: string | null
  startedBy: string
  createdAt: string
  startedAt: string | null
  endedAt: string | null
  directory: string | null
  prompt: string | null
  exitCode: number | null
  reason: string | null
  result: { text: string; by: 'self' | 'hub' | 'agent'; isGood: boolean } | null
  calls: number | null
  tokens: Usage | null
  cost: number | null
  files: readonly { path: string; how: 'created' | 'edited' | 'deleted' }[]
  denied: readonly string[]
}

async function loadRun(id: string, signal: AbortSignal): Promise<RunShown> {
  if (id.startsWith('exec_')) {
    const { value: run } = await call('execution.show', { execution_id: id }, { signal })
    return {
      ...{ id, title: run.agent_id, status: statusOf(run.status, run.result), engine: run.engine, model: run.model },
      ...{ crewId: null, stage: null, taskId: run.task_id, agentId: run.agent_id },
      startedBy: run.runner === null ? 'operator' : `runner:${run.runner}`,
      ...{ createdAt: run.started_at, startedAt: run.started_at, endedAt: run.ended_at },
      ...{ directory: null, prompt: null, exitCode: run.exit_code, reason: run.reason },
      result: run.summary === null ? null : { text: run.summary, by: 'agent', isGood: run.status === 'completed' },
      ...{ calls: run.tool_calls, tokens: run.usage, cost: run.cost_usd, denied: run.denied_tools },
      files: filesOf(run.created_files, run.edited_files, run.deleted_files),
    }
  }
  const { value: run } = await call('run.show', { run_id: id }, { signal })
  return {
    ...{ id, title: run.role, status: statusOf(run.status), engine: run.engine, model: run.model },
    ...{ crewId: run.crew_id, stage: run.stage, taskId: run.task_id, agentId: null, startedBy: run.started_by },
    ...{ createdAt: run.created_at, startedAt: run.started_at, endedAt: run.ended_at },
    ...{ directory: run.directory, prompt: run.prompt, exitCode: run.exit_code, reason: run.reason },
    result: run.result && {
      text: run.result.summary,
      by: run.result.source === 'report' ? 'self' : 'hub',
      isGood: run.result.status === 'success',
    },
    ...{ calls: run.tool_calls, tokens: run.usage, cost: run.cost_usd, denied: run.denied_tools },
    files: filesOf(run.created_files, run.edited_files, []),
  }
}

function filesOf(created: readonly string[], edited: readonly string[], deleted: readonly string[]): RunShown['files'] {
  const named = (paths: readonly string[], how: 'created' | 'edited' | 'deleted') => paths.map(path => ({ path, how }))
  return [...named(created, 'created'), ...named(edited, 'edited'), ...named(deleted, 'deleted')]
}

export function barOf(work: WorkView): Bar {
  return {
    ...{ id: work.id, label: work.title, detail: work.task?.title ?? work.last_message ?? '', status: work.status },
    created: Date.parse(work.created_at),
    started: work.started_at === null ? null : Date.parse(work.started_at),
    ended: work.ended_at === null ? null : Date.parse(work.ended_at),
    href: hrefOf(work),
    cost: work.cost_usd,
    stage: work.stage,
  }
}

/** Where a click on it leads. */
export function hrefOf({ kind, id }: Pick<WorkView, 'kind' | 'id'>): string {
  if (kind === 'tab') return `/terminals?show=${encodeURIComponent(id)}`
  return `/runs/${encodeURIComponent(id)}`
}
