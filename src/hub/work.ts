// One list of everything that runs or has just ended, whatever started it.
import type { Config } from '#contract/config.ts'
import type { Lang } from '#contract/errors.ts'
import { pathIn } from '#contract/ids.ts'
import type { AgentId, CrewId, ProjectId, TaskId } from '#contract/id-types.ts'
import { type RunEnd, runEnd } from '#contract/run-end.ts'
import type { WorkView } from '#contract/work.ts'
import { MAX_RESTARTS } from '#domains/identity/model.ts'
import type { Task } from '#domains/projects/model.ts'
import type { Crew } from '#domains/runs/crew-model.ts'
import { type CrewRun, crewStatus, type RunFacts, spentBy, statusOf, type TaskRun } from '#domains/runs/model.ts'
import { tailOf } from '#domains/runs/read-log.ts'
import { executionDetail, STATUSES } from '#domains/runs/records.ts'
import { reasonOf, runDetail } from '#domains/runs/task-run-views.ts'
import { allEngines } from '#engines/all-engines.ts'
import { lastAction } from '#engines/activity.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { nextOf } from './task-show-api.ts'
import { Names } from './inbox/item.ts'
import { waitingTasks } from './busy-agents.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'

/** As many open entries as a person would read. */
const MOST_OPEN = 500
/** A single step of an agent may be a whole file; more than this is not read again for every look. */
const TAIL_BYTES = 64 * 1024
const TITLE_CHARS = 200
const ACTION_CHARS = 500

type Logs = { config: () => Pick<Config, 'engines'>; logFolder: string; instanceLog: (run: TaskRun) => string }
type Seen = { services: Services; logs: Logs | undefined; names: Names; lang: Lang }

export function workOperations(logs: Logs) {
  return [
    operation({
      name: 'work.list',
      effect: 'read',
      async run(services: Services, input, { lang }) {
        const { project_id: projectId, agent_id: agentId, crew_id: crewId } = input
        const { ended: count = 0, last_actions: reads = true } = input
        const seen = { services, logs: reads ? logs : undefined, names: new Names(services), lang }
        const views = [
          ...(crewId === undefined ? await taskWork(seen, { projectId, agentId }, count) : []),
          ...(agentId === undefined ? await crewWork(seen, { projectId, crewId }, count) : []),
          ...(agentId === undefined && crewId === undefined ? await tabWork(seen, projectId, count) : []),
        ]
        const open = views.filter(({ ended_at }) => ended_at === null)
        const over = views.filter(({ ended_at }) => ended_at !== null)
        over.sort((a, b) => (b.ended_at as string).localeCompare(a.ended_at as string))
        open.sort((a, b) => a.started_at.localeCompare(b.started_at))
        const waiting = crewId === undefined ? await waitingTasks(services, open) : []
        return { work: [...open, ...over.slice(0, count)], waiting }
      },
    }),
    operation({
      name: 'execution.stop',
      effect: 'write',
      async run({ runs, tasks, leases }: Services, { execution_id: id }, { caller, lang }) {
        const run = await runs.get(id, caller)
        if (run.endedAt !== null) return executionDetail(runDetail(run, lang))
        const end = runEnd('stopped')
        await leases.takeAway(run, end, caller)
        // One that no instance is behind any more.
        await runs.end(await runs.get(id, caller), { outcome: 'error', end }, caller)
        // Otherwise its agent would be started again at once.
        const { status } = await tasks.get(run.taskId, caller)
        if (status === 'in_progress') await tasks.move(run.taskId, 'todo', caller)
        return executionDetail(runDetail(await runs.get(id, caller), lang))
      },
    }),
  ]
}

type Whose = { projectId: ProjectId | undefined; agentId: AgentId | undefined }

async function taskWork({ services, logs, names, lang }: Seen, whose: Whose, ended: number) {
  const { runs, agents, leases, pauses, workspaces, worktrees } = services
  const folderOf = async ({ taskId }: TaskRun) => {
    const workspace = logs && (await workspaces.find(taskId))
    return workspace ? (await worktrees.get(workspace.worktreeId)).path : null
  }
  const open = await runs.list({ ...whose, open: true }, undefined, MOST_OPEN, HUB)
  const over = ended === 0 ? [] : await runs.list({ ...whose, open: false }, undefined, ended, HUB)
  const found = await tasksOf(
    services,
    [...open, ...over].map(run => run.taskId),
  )
  // What comes next is said of a task, so of its last run alone.
  const newest = new Map([...over, ...open].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(run => [run.taskId, run.id]))
  return Promise.all(
    [...open, ...over].map(async (run): Promise<WorkView> => {
      const task = found.get(run.taskId)
      const agent = await names.agent(run.agentId)
      const failed = run.outcome === 'error' && newest.get(run.taskId) === run.id && task
      const next = failed ? await nextOf(failed, undefined, { agents, leases, pauses }) : undefined
      const restarts = next?.next === 'again' ? await leases.restarts(run.agentId, run.projectId) : 0
      return {
        work_id: run.id,
        kind: 'task',
        name: agent?.name ?? run.agentId,
        agent_id: run.agentId,
        crew_id: null,
        engine: run.engine ?? agent?.engine ?? null,
        project_id: run.projectId,
        project_name: await names.project(run.projectId),
        ...ofTask(task),
        status: statusOf(run),
        created_at: iso(run.startedAt),
        started_at: iso(run.startedAt),
        ended_at: run.endedAt === null ? null : iso(run.endedAt),
        last_action:
          run.endedAt === null
            ? await action(logs, run.engine, ({ instanceLog }) => instanceLog(run), await folderOf(run))
            : run.summary,
        result: run.result,
        reason: reasonOf(run, lang) ?? (run.outcome === 'failed' ? run.summary : null),
        next: next
          ? {
              what: next.next,
              at: next.next_at,
              attempt: restarts === 0 ? null : restarts + 1,
              attempts: MAX_RESTARTS + 1,
            }
          : null,
        started_by: run.runner === null ? 'operator' : `runner:${run.runner}`,
        crew: null,
        stop_asked: false,
        ...told(run),
      }
    }),
  )
}

type OfCrews = { projectId: ProjectId | undefined; crewId: CrewId | undefined }

async function crewWork({ services, logs, names, lang }: Seen, which: OfCrews, ended: number) {
  const { crewRuns } = services
  const open = await crewRuns.list({ ...which, open: true }, undefined, MOST_OPEN, HUB)
  const over = ended === 0 ? [] : await crewRuns.list({ ...which, open: false }, undefined, ended, HUB)
  const found = await tasksOf(
    services,
    [...open, ...over].flatMap(run => run.taskId ?? []),
  )
  const crews = await services.crews.known([...new Set([...open, ...over].map(({ crewId }) => crewId))])
  return Promise.all(
    [...open, ...over].map(async (run): Promise<WorkView> => {
      const task = run.taskId === null ? undefined : found.get(run.taskId)
      return {
        work_id: run.id,
        kind: 'crew',
        name: run.role,
        agent_id: null,
        crew_id: run.crewId,
        engine: run.engine,
        project_id: run.projectId,
        project_name: await names.project(run.projectId),
        ...ofTask(task),
        title: task?.title ?? run.prompt.trim().slice(0, TITLE_CHARS).toWellFormed(),
        status: STATUSES[crewStatus(run)],
        created_at: iso(run.createdAt),
        started_at: iso(run.startedAt ?? run.createdAt),
        ended_at: run.endedAt === null ? null : iso(run.endedAt),
        last_action:
          run.endedAt === null
            ? await action(logs, run.engine, ({ logFolder }) => pathIn(logFolder, `${run.id}.log`), run.directory)
            : (run.report?.summary ?? null),
        result: null,
        reason: run.outcome === 'completed' ? null : whyEnded(run, lang),
        next: null,
        started_by: run.startedBy,
        crew: crewOf(run, crews),
        stop_asked: run.endedAt === null && run.stopAsked !== null,
        ...told(run),
        model: run.facts.model ?? run.model,
      }
    }),
  )
}

async function tabWork({ services, names, lang }: Seen, projectId: ProjectId | undefined, ended: number) {
  const { tabs } = services
  const live = await tabs.list({ live: true, projectId }, '', MOST_OPEN, HUB)
  const over = ended === 0 ? [] : await tabs.listEnded(projectId, ended)
  const found = await tasksOf(
    services,
    [...live, ...over].flatMap(tab => tab.taskId ?? []),
  )
  return Promise.all(
    [...live, ...over].map(
      async (tab): Promise<WorkView> => ({
        work_id: tab.id,
        kind: 'tab',
        name: tab.branch,
        agent_id: null,
        crew_id: null,
        engine: tab.engine,
        project_id: tab.projectId,
        project_name: await names.project(tab.projectId),
        ...ofTask(tab.taskId === null ? undefined : found.get(tab.taskId)),
        status: await tabs.status(tab),
        created_at: iso(tab.createdAt),
        started_at: iso(tab.createdAt),
        ended_at: tab.endedAt === null ? null : iso(tab.endedAt),
        last_action: null,
        result: null,
        reason: tab.problem?.text[lang] ?? (tab.endReason === 'exited' ? null : tab.endReason),
        next: null,
        started_by: tab.launchedBy,
        crew: null,
        stop_asked: tab.endedAt === null && tab.stopRequestedAt !== null,
        ...told({ end: null, facts: null }),
      }),
    ),
  )
}

async function tasksOf({ tasks }: Services, ids: readonly TaskId[]): Promise<Map<TaskId, Task>> {
  if (ids.length === 0) return new Map()
  const found = await tasks.list({ ids: [...new Set(ids)] }, undefined, 2 * MOST_OPEN, HUB)
  return new Map(found.map(task => [task.id, task]))
}

function ofTask(task: Task | undefined) {
  return { task_id: task?.id ?? null, handle: task?.handle ?? null, title: task?.title ?? null }
}

function crewOf({ crewId, stage }: CrewRun, crews: readonly Crew[]): WorkView['crew'] {
  const crew = crews.find(({ id }) => id === crewId)
  return crew ? { crew_id: crewId, description: crew.description, mode: crew.mode, stage } : null
}

/** What it used so far, as far as its output says. */
function told(run: { end: RunEnd | null; facts: RunFacts | null }) {
  const { usage: tokens, usd: cost_usd } = spentBy(run)
  return { model: run.facts?.model ?? null, tool_calls: run.facts?.toolCalls ?? null, tokens, cost_usd }
}

function whyEnded(run: CrewRun, lang: Lang): string | null {
  return reasonOf(run, lang) ?? run.report?.errorMessage ?? run.endReason
}

async function action(
  logs: Logs | undefined,
  engine: string | null,
  file: (logs: Logs) => string,
  folder: string | null = null,
): Promise<string | null> {
  const known = engine === null ? undefined : logs && allEngines(logs.config()).get(engine)
  const output = logs && known ? await tailOf(file(logs), TAIL_BYTES) : ''
  if (!known || output === '') return null
  return lastAction(known, output, folder)?.slice(0, ACTION_CHARS).toWellFormed() ?? null
}
