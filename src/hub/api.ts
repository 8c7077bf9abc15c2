// Operations that belong to the hub as a whole, or need more than one domain.
import { statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { confinedTo } from '#contract/access.ts'
import { callerName, OPERATOR_AND_WORKERS, personOf } from '#contract/caller.ts'
import { CoreError, HubError, type Lang, type Text } from '#contract/errors.ts'
import type { AgentId, ProjectId, RunId } from '#contract/id-types.ts'
import type { TaskStatus } from '#contract/projects.ts'
import { sentenceOf } from '#domains/identity/abilities.ts'
import { isReportedEarly, isSettled, type Task } from '#domains/projects/model.ts'
import { type Settings, settingsFor } from '#domains/projects/settings.ts'
import { answerView, handoffView, noteView, projectView, taskRef, taskView } from '#domains/projects/views.ts'
import { waitsForChildren, waitsForTasks } from '#domains/projects/waiting-text.ts'
import type { TaskRun } from '#domains/runs/model.ts'
import { taskExecution } from '#domains/runs/records.ts'
import { reasonOf, withRun } from '#domains/runs/task-run-views.ts'
import { whyNotByChecks } from '#domains/thread/checks.ts'
import { pullView } from '#domains/thread/pull-model.ts'
import { evidenceView, snapshotView, verdictView } from '#domains/thread/views.ts'
import type { Evidence } from '#domains/trust/service.ts'
import { iso } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/db.ts'
import { DatabaseRefused } from '#kernel/db/sqlite.ts'
import type { EventLog } from '#kernel/events.ts'
import { operation } from '#kernel/operation.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { FoundEngine } from './headless-engines.ts'
import { reviewOf } from './review-of.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'
import { waitingStarts } from './waiting-starts.ts'
import { workspaceOf } from './workspace-api.ts'
import { whyGivenUp } from './workflows/lost-instance.ts'

/** What the hub knows of itself while it runs. */
export type Facts = { url: string; startedAt: string; background: boolean; demo: boolean; connections: number }

type Deps = {
  database: Database
  events: EventLog
  facts: () => Facts
  stop: (keepTerminals: boolean) => void
  unregister: () => Promise<readonly Outcome[]>
  engines: () => readonly FoundEngine[]
}

export function hubOperations({ database, events, facts, stop, unregister, engines }: Deps) {
  return [
    operation({
      name: 'hub.status',
      effect: 'read',
      async run({ about, starts, runners, pauses }: Services) {
        const { url, startedAt, background, demo, connections } = facts()
        return {
          pid: process.pid,
          version: about.version,
          db: database.label,
          url,
          started_at: startedAt,
          background,
          demo,
          connections,
          rss_bytes: process.memoryUsage.rss(),
          last_event: await events.latest(),
          instances: await starts.count(),
          runners: await runners.present(),
          pauses: (await pauses.list()).map(({ engine, until, reason }) => ({ engine, until: iso(until), reason })),
        }
      },
    }),
    operation({
      name: 'hub.whoami',
      effect: 'read',
      callers: OPERATOR_AND_WORKERS,
      async run(_services: Services, _input, { caller }) {
        const own = confinedTo(caller)
        const may = own === undefined ? 'everything' : own === null ? 'its_own_work' : 'its_project'
        const token = caller.kind === 'operator' ? (caller.token ?? null) : null
        const who = { caller: callerName(caller), kind: caller.kind, person: personOf(caller), token }
        return { ...who, project_id: own ?? null, may, db: database.label, url: facts().url }
      },
    }),
    operation({
      name: 'engine.list',
      effect: 'read',
      async run({ pauses }: Services) {
        const paused = new Map((await pauses.list()).map(({ engine, until }) => [engine, iso(until)]))
        return { engines: engines().map(found => ({ ...found, paused_until: paused.get(found.engine) ?? null })) }
      },
    }),
    operation({
      name: 'runner.waiting',
      effect: 'read',
      run: async (services: Services, _input, call) => ({
        waiting: (await waitingStarts(services)).map(start => ({
          agent_id: start.agentId,
          agent_name: start.agentName,
          project_id: start.projectId,
          project_name: start.projectName,
          engine: start.engine,
          directory: start.directory,
          problem: start.problem[call.lang],
        })),
      }),
    }),
    operation({
      name: 'engine.resume',
      effect: 'write',
      run: async ({ pauses }: Services, input, call) => ({
        engine: input.engine,
        was_paused: await pauses.resume(input.engine, call.caller),
      }),
    }),
    operation({
      name: 'hub.stop',
      effect: 'read',
      async run(_services: Services, input) {
        // After the answer has left.
        setImmediate(stop, input.keep_terminals ?? false)
        return { stopping: true } as const
      },
    }),
    operation({
      name: 'hub.unregister',
      effect: 'read',
      run: async () => ({ files: [...(await unregister())] }),
    }),
    operation<'project.add', Services, { settings: Settings; evidence: Evidence | undefined }>({
      name: 'project.add',
      effect: 'write',
      async prepare({ trusts, repositories }, { directory = null, reviewer_id: reviewerId, ...wish }) {
        if (directory !== null && !isAbsolute(directory))
          throw CoreError.INVALID_ARGUMENT({ reason: DIRECTORY_NOT_ABSOLUTE })
        const settings = await settingsFor(repositories, directory, { ...wish, reviewerId })
        const isLookedAt = directory !== null && wish.trust !== false
        return { settings, evidence: isLookedAt ? await evidenceIn(directory, trusts) : undefined }
      },
      async run({ projects, trusts }, input, call) {
        const { id, name, directory = null, description = '', asana_url: asanaUrl = null } = input
        const { settings, evidence } = call.prepared
        const project = await projects.add({ id, name, directory, description, asanaUrl, ...settings }, call.caller)
        // Whoever adds a folder by hand has looked at what it brings.
        if (evidence) await trusts.grant(evidence, call.caller, project.id)
        return projectView(project)
      },
    }),
    operation({
      name: 'hub.backup',
      effect: 'read',
      async run(_services: Services, input) {
        if (!isAbsolute(input.file)) throw CoreError.INVALID_ARGUMENT({ reason: NOT_ABSOLUTE })
        try {
          await database.backup(input.file)
        } catch (error) {
          const reason = whyNoBackup(error, input.file)
          throw reason ? CoreError.INVALID_ARGUMENT({ reason }, error) : error
        }
        return { file: input.file, bytes: statSync(input.file).size }
      },
    }),
    operation({
      name: 'task.show',
      effect: 'read',
      callers: OPERATOR_AND_WORKERS,
      async run(services: Services, input, call) {
        const { tasks, notes, links, taskDecisions, handoffs, runs, trusts, agents, claims, leases, pauses, settling } =
          services
        const task = await tasks.get(input.task_id, call.caller)
        const workspace = await workspaceOf(services, task)
        const live = workspace.view?.released === false ? workspace.view : undefined
        const handoff = await handoffs.newest(task.id, call.caller)
        const said = await notes.list(task.id, 20, call.caller)
        const executions = await runs.list({ taskId: task.id }, undefined, 20, call.caller)
        const waitsFor = await links.waitsFor(task)
        const children = await links.children(task)
        const order = whyInOrder(task, waitsFor, children)
        const isDue = task.status === 'in_progress' && task.assigneeId !== null && !order
        const refusals = isDue ? await trusts.refusedStarts({ projectId: task.projectId }) : []
        const refused = refusals.find(({ start }) => start.taskId === null || start.taskId === task.id)
        const unmet =
          isDue && !refused ? await claims.waitsFor((task.assigneeId ?? '') as AgentId, task.projectId) : undefined
        const problem = order ?? workspace.problem ?? refused?.refusal.text ?? (unmet && sentenceOf(unmet))
        const [last] = executions
        const byThread =
          task.blockedReason === null
            ? undefined
            : ((await settling.whyBlocked(task.id, task.blockedReason)) ??
              (await services.merges.whyBlocked(task.id, task.blockedReason)))
        const failure = last && OPEN.has(task.status) ? failureOf(last, call.lang) : null
        return {
          ...taskView(task),
          blocked_reason:
            byThread?.[call.lang] ??
            (last?.end ? inLang(task.blockedReason, whyGivenUp(last.end), call.lang, last.id) : task.blockedReason),
          notes: said.map(noteView),
          handoff: handoff ? handoffView(handoff) : null,
          executions: executions.map(run => taskExecution(run, call.lang)),
          failure: failure && { ...failure, ...(await nextOf(task, order, { agents, leases, pauses })) },
          answers: (await notes.answers(task.id, 20, call.caller)).map(answerView),
          not_started: problem?.[call.lang] ?? null,
          ...(await threadOf(services, task, call.lang)),
          overlaps: live ? await services.overlaps.of(live.worktree_id) : [],
          workspace: workspace.view,
          waits_for: waitsFor.map(taskRef),
          parent: task.parentId === null ? null : taskRef(await tasks.get(task.parentId, call.caller)),
          children: children.map(taskRef),
          decisions: await taskDecisions.ofTask(task.id),
        }
      },
    }),
  ]
}

async function evidenceIn(directory: string, trusts: Services['trusts']): Promise<Evidence | undefined> {
  return trusts.evidence(directory, { id: '' as ProjectId, directory }).catch(error => {
    if (error instanceof HubError) return undefined // More than anybody could have looked at.
    throw error
  })
}

/** What became of its work, in short. */
async function threadOf(services: Services, task: Task, lang: Lang) {
  const { snapshots, evidence, reviews, merges, projects, checks, pulls } = services
  const pull = await pulls.newest(task.id)
  const { id, status, projectId } = task
  const isInReview = taskView(task).stage === 'review'
  const { accept } = await projects.get(projectId)
  const remark = isInReview ? whyNotByChecks(accept, await checks.plan(projectId, [])) : undefined
  return {
    returned: (status === 'in_progress' ? await reviews.returned(id) : undefined) ?? null,
    review: await reviewOf(services, id, lang),
    remark: remark?.[lang] ?? null,
    merge: (await merges.newest(id, HUB, lang)) ?? null,
    pull: pull ? pullView(pull) : null,
    snapshots: (await snapshots.list(id, 5)).map(snapshotView),
    evidence: (await evidence.list(id, 10)).map(one => evidenceView(one, lang)),
    verdicts: (await reviews.verdicts(id, 5)).map(verdictView),
  }
}

const OPEN = new Set<TaskStatus>(['todo', 'in_progress', 'blocked'])

/** What of the plan keeps it from being started, whoever could. */
function whyInOrder(task: Task, waitsFor: readonly Task[], children: readonly Task[]): Text | undefined {
  if (isReportedEarly(task)) return waitsForChildren(children.filter(child => !isSettled(child)))
  return OPEN.has(task.status) && waitsFor.length > 0 ? waitsForTasks(task, waitsFor) : undefined
}

function failureOf(run: TaskRun, lang: Lang) {
  const reason = reasonOf(run, lang)
  return reason === null || run.end === null ? null : { execution_id: run.id, kind: run.end.kind, reason }
}

/** What the hub does about a task whose last run failed. */
export async function nextOf(
  { status, assigneeId, projectId }: Task,
  order: Text | undefined,
  { agents, leases, pauses }: Pick<Services, 'agents' | 'leases' | 'pauses'>,
): Promise<{ next: 'again' | 'paused' | 'waits'; next_at: string | null }> {
  const agent = status === 'in_progress' && assigneeId !== null && !order ? await agents.find(assigneeId) : undefined
  if (!agent?.enabled) return { next: 'waits', next_at: null }
  const pause = await pauses.find(agent.engine)
  if (pause) return { next: 'paused', next_at: iso(pause.until) }
  const at = await leases.nextStart(agent.id, projectId)
  return { next: 'again', next_at: at === undefined ? null : iso(at) }
}

/** The task keeps what the hub said in English. */
function inLang(stored: string | null, text: Text, lang: Lang, runId: RunId): string | null {
  return stored === text.en ? withRun(text[lang], runId) : stored
}

/** What the place is to blame for; undefined for what is not the caller's to fix. */
function whyNoBackup(error: unknown, file: string): Text | undefined {
  if (error instanceof DatabaseRefused) return { en: error.message, ja: error.message }
  const folder = dirname(file)
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return {
        en: `The folder ${folder} does not exist; make it first. Nothing was written.`,
        ja: `フォルダー ${folder} がありません。先に作成してください。何も書き込んでいません。`,
      }
    case 'EEXIST':
    case 'EISDIR':
      return {
        en: `${file} exists already; choose another name for the backup.`,
        ja: `${file} は既にあります。バックアップには別の名前を指定してください。`,
      }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return {
        en: `The hub may not write into ${folder}; choose another folder.`,
        ja: `ハブには ${folder} へ書き込む権限がありません。別のフォルダーを指定してください。`,
      }
    case 'ENAMETOOLONG':
    case 'ELOOP':
      return { en: `${file} is not a usable path.`, ja: `${file} はパスとして使えません。` }
    default:
      return undefined
  }
}

const DIRECTORY_NOT_ABSOLUTE = {
  en: 'directory must be an absolute path.',
  ja: 'directory は絶対パスで指定してください。',
}
const NOT_ABSOLUTE = { en: 'file must be an absolute path.', ja: 'file は絶対パスで指定してください。' }
