// What is at work now, and was lately: one list of runs, executions, instances and tabs.
import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId, TaskId } from '#contract/id-types.ts'
import type { WorkCrew, WorkView } from '#contract/work.ts'
import type { WorkStatus } from '#contract/work-values.ts'
import type { Instance } from '#domains/identity/model.ts'
import { type CrewRun, crewStatus, type RunFacts, statusOf, type TaskRun } from '#domains/runs/model.ts'
import type { Tab } from '#domains/tabs/model.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { Names } from './inbox/item.ts'
import type { Services } from './services.ts'

const MOST_OPEN = 1000
const ENDED = 200
const MESSAGE_CHARS = 300

type Wanted = {
  projectId: ProjectId | undefined
  agentId: AgentId | undefined
  since: number | undefined
  limit: number
}
type Known = { names: Names; tasks: ReadonlyMap<TaskId, WorkView['task']> }

export const workOperations = [
  operation({
    name: 'work.list',
    effect: 'read',
    async run(services: Services, input, { caller }) {
      const since = input.ended_since === undefined ? undefined : Date.parse(input.ended_since)
      const wanted = { projectId: input.project_id, agentId: input.agent_id, since, limit: input.limit ?? ENDED }
      const found = await facts(services, wanted, caller)
      const known = await knownOf(services, found, caller)
      const work = await Promise.all([
        ...found.runs.map(run => runWork(run, known)),
        ...found.executions.map(run => executionWork(run, known)),
        ...found.instances.map(instance => instanceWork(instance, known)),
        ...found.tabs.map(async tab => tabWork(tab, await services.tabs.status(tab), known)),
      ])
      const crews = await services.crews.known([...new Set(found.runs.map(({ crewId }) => crewId))])
      return {
        work: work.sort((a, b) => ((a.created_at ?? '9') < (b.created_at ?? '9') ? 1 : -1)),
        crews: crews.map(
          ({ id, description, mode, createdBy, createdAt }): WorkCrew => ({
            ...{ crew_id: id, description, mode, created_by: createdBy, created_at: iso(createdAt) },
          }),
        ),
      }
    },
  }),
]

type Found = { runs: CrewRun[]; executions: TaskRun[]; instances: Instance[]; tabs: Tab[] }

async function facts(services: Services, wanted: Wanted, by: Caller): Promise<Found> {
  const { projectId, agentId, since, limit } = wanted
  const isMeant = ({ endedAt }: { endedAt: number | null }) =>
    endedAt === null || (since !== undefined && endedAt >= since)
  const ended = since === undefined ? 0 : limit
  const mine = { projectId, agentId }
  const executions = [
    ...(await services.runs.list({ ...mine, isOpen: true }, undefined, MOST_OPEN, by)),
    ...(ended === 0 ? [] : await services.runs.list({ ...mine, isOpen: false }, undefined, ended, by)),
  ]
  const instances = (await services.starts.listOpen()).filter(
    instance =>
      (projectId === undefined || instance.projectId === projectId) &&
      (agentId === undefined || instance.agentId === agentId) &&
      // Its work is in the list already.
      !executions.some(run => run.endedAt === null && isOf(run, instance)),
  )
  // What an agent started is its work, too, but told by who started it; those have no agent.
  const ofAll = agentId === undefined
  return {
    runs: ofAll ? (await services.crewRuns.listWork({ projectId }, ended)).filter(isMeant) : [],
    executions: executions.filter(isMeant),
    instances,
    tabs: ofAll ? await services.tabs.list({ live: true, projectId }, '', MOST_OPEN, by) : [],
  }
}

function isOf(run: TaskRun, { agentId, projectId, epoch }: Instance): boolean {
  return run.agentId === agentId && run.projectId === projectId && run.epoch === epoch
}

async function knownOf(services: Services, found: Found, by: Caller): Promise<Known> {
  const ids = Object.values(found).flatMap(all => all.flatMap(({ taskId }) => taskId ?? []))
  const tasks = ids.length === 0 ? [] : await services.tasks.list({ ids: [...new Set(ids)] }, undefined, ids.length, by)
  const views = tasks.map(({ id, handle, title }) => [id, { task_id: id, handle, title }] as const)
  return { names: new Names(services), tasks: new Map(views) }
}

const RUN_STATUS = { resultReported: 'reported', timedOut: 'timed_out' } as const
const EXECUTION_STATUS = { running: 'running', completed: 'completed', failed: 'failed', error: 'failed' } as const

async function runWork(run: CrewRun, known: Known): Promise<WorkView> {
  const status = crewStatus(run)
  return {
    ...(await about(run, known)),
    kind: 'run',
    status: status === 'resultReported' || status === 'timedOut' ? RUN_STATUS[status] : status,
    title: run.role,
    started_by: run.startedBy,
    crew_id: run.crewId,
    stage: run.stage,
    model: run.facts.model ?? run.model,
    created_at: iso(run.createdAt),
    ...times(run),
    stop_asked: run.stopAsked !== null,
    ...told(run.facts, run.report?.summary),
  }
}

async function executionWork(run: TaskRun, known: Known): Promise<WorkView> {
  const base = await about(run, known)
  return {
    ...base,
    kind: 'execution',
    status: run.endedAt === null && run.takenAt === null ? 'starting' : EXECUTION_STATUS[statusOf(run)],
    title: (await known.names.agent(run.agentId))?.name ?? run.agentId,
    started_by: run.runner === null ? 'operator' : `runner:${run.runner}`,
    agent_id: run.agentId,
    model: run.facts?.model ?? null,
    created_at: iso(run.startedAt),
    ...times(run),
    ...told(run.facts, run.summary),
  }
}

/** One that has no work of its own: it has yet to ask for some, or is about to end. */
async function instanceWork(instance: Instance, known: Known): Promise<WorkView> {
  return {
    ...(await about(instance, known)),
    kind: 'instance',
    status: 'idle',
    title: (await known.names.agent(instance.agentId))?.name ?? instance.agentId,
    started_by: `runner:${instance.runner}`,
    agent_id: instance.agentId,
  }
}

async function tabWork(tab: Tab, status: string, known: Known): Promise<WorkView> {
  return {
    ...(await about(tab, known)),
    kind: 'tab',
    status: status as WorkStatus,
    title: tab.branch,
    started_by: tab.launchedBy,
    created_at: iso(tab.createdAt),
    started_at: iso(tab.createdAt),
    stop_asked: tab.stopRequestedAt !== null,
  }
}

type Subject = { id: string; engine: string | null; projectId: ProjectId | null; taskId: TaskId | null }

async function about({ id, engine, projectId, taskId }: Subject, { names, tasks }: Known) {
  return {
    id,
    engine,
    project_id: projectId,
    project_name: await names.project(projectId),
    task: (taskId && tasks.get(taskId)) ?? null,
    ...{ crew_id: null, stage: null, agent_id: null, model: null, created_at: null, started_at: null, ended_at: null },
    ...{ stop_asked: false, last_message: null, tool_calls: null, tokens: null, cost_usd: null },
  }
}

function times({ startedAt, endedAt }: { startedAt: number | null; endedAt: number | null }) {
  return {
    started_at: startedAt === null ? null : iso(startedAt),
    ended_at: endedAt === null ? null : iso(endedAt),
  }
}

function told(facts: RunFacts | null, result: string | null | undefined) {
  const message = result ?? facts?.lastMessage ?? null
  return {
    last_message: message?.trim().slice(0, MESSAGE_CHARS).toWellFormed() || null,
    tool_calls: facts?.toolCalls ?? null,
    tokens: facts?.usage ? { input: facts.usage.input, output: facts.usage.output } : null,
    cost_usd: facts?.costUsd ?? null,
  }
}
