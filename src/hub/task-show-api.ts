// All that people see of one task: its plan, its runs, what became of its work, and why it is not started.
import { OPERATOR_AND_WORKERS } from '#contract/caller.ts'
import type { Lang, Text } from '#contract/errors.ts'
import type { AgentId } from '#contract/id-types.ts'
import type { TaskStatus } from '#contract/projects.ts'
import { sentenceOf } from '#domains/identity/abilities.ts'
import { isReportedEarly, isSettled, stageOf, type Task } from '#domains/projects/model.ts'
import { answerView, handoffView, noteView, taskRef, taskView } from '#domains/projects/views.ts'
import { waitsForAgent, waitsForChildren, waitsForTasks } from '#domains/projects/waiting-text.ts'
import type { TaskRun } from '#domains/runs/model.ts'
import { taskExecution } from '#domains/runs/records.ts'
import { reasonOf } from '#domains/runs/task-run-views.ts'
import { whyNotByChecks } from '#domains/thread/checks.ts'
import { pullView } from '#domains/thread/pull-model.ts'
import { evidenceView, snapshotView, verdictView } from '#domains/thread/views.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { busyAgents } from './busy-agents.ts'
import { HUB } from './own-caller.ts'
import { reviewOf } from './review-of.ts'
import type { Services } from './services.ts'
import { workspaceOf } from './workspace-api.ts'

export const taskShow = operation({
  name: 'task.show',
  effect: 'read',
  callers: OPERATOR_AND_WORKERS,
  async run(services: Services, input, call) {
    const { tasks, notes, links, taskDecisions, handoffs, runs, trusts, agents, claims, leases, pauses } = services
    const task = await tasks.get(input.task_id, call.caller)
    const workspace = await workspaceOf(services, task, call.lang)
    const live = workspace.view?.released === false ? workspace.view : undefined
    const handoff = await handoffs.newest(task.id, call.caller)
    const said = await notes.list(task.id, 20, call.caller)
    const executions = await runs.list({ taskId: task.id }, undefined, 20, call.caller)
    const waitsFor = await links.waitsFor(task)
    const children = await links.children(task)
    const parent = task.parentId === null ? undefined : await tasks.find(task.parentId)
    const order = whyInOrder(task, waitsFor, children)
    const isDue = task.status === 'in_progress' && task.assigneeId !== null && !order
    const refusals = isDue ? await trusts.refusedStarts({ projectId: task.projectId }) : []
    const refused = refusals.find(({ start }) => start.taskId === null || start.taskId === task.id)
    const unmet =
      isDue && !refused ? await claims.waitsFor((task.assigneeId ?? '') as AgentId, task.projectId) : undefined
    const behind = isDue ? await services.bases.whyBehind(task) : undefined
    const ahead = (await busyAgents(services, [task])).get(task.id)
    const busy = ahead && waitsForAgent(await nameOf(services, task), ahead)
    const problem =
      order ?? workspace.problem ?? behind ?? refused?.refusal.text ?? busy ?? (unmet && sentenceOf(unmet))
    const [last] = executions
    const failure = last && OPEN.has(task.status) ? failureOf(last, call.lang) : null
    return {
      ...taskView(task, call.lang),
      notes: said.map(noteView),
      handoff: handoff ? handoffView(handoff) : null,
      executions: executions.map(run => taskExecution(run, call.lang)),
      failure: failure && { ...failure, ...(await nextOf(task, order, { agents, leases, pauses })) },
      answers: (await notes.answers(task.id, 20, call.caller)).map(answer => answerView(answer, call.lang)),
      not_started: problem?.[call.lang] ?? null,
      agent_busy_with: ahead ?? null,
      ...(await threadOf(services, task, call.lang)),
      overlaps: live ? await services.overlaps.of(live.worktree_id) : [],
      workspace: workspace.view,
      waits_for: waitsFor.map(taskRef),
      parent: parent && parent.deletedAt === null ? taskRef(parent) : null,
      children: children.map(taskRef),
      decisions: await taskDecisions.ofTask(task.id),
    }
  },
})

async function nameOf({ agents }: Services, { assigneeId }: Task): Promise<string> {
  return (assigneeId && (await agents.find(assigneeId))?.name) ?? assigneeId ?? ''
}

/** What became of its work, in short. */
async function threadOf(services: Services, task: Task, lang: Lang) {
  const { snapshots, evidence, reviews, merges, projects, checks, pulls } = services
  const pull = await pulls.newest(task.id)
  const { id, status, projectId } = task
  const isInReview = stageOf(task) === 'review'
  const { accept } = await projects.get(projectId)
  const flagged = isInReview ? (await snapshots.current(id))?.flagged : undefined
  const remark = isInReview ? whyNotByChecks(accept, await checks.plan(projectId, []), flagged) : undefined
  return {
    returned: (status === 'in_progress' ? await reviews.returned(id, lang) : undefined) ?? null,
    review: await reviewOf(services, id, lang),
    remark: remark?.[lang] ?? null,
    merge: (await merges.newest(id, HUB, lang)) ?? null,
    pull: pull ? pullView(pull) : null,
    snapshots: (await snapshots.list(id, 5)).map(one => snapshotView(one, lang)),
    evidence: (await evidence.list(id, 10)).map(one => evidenceView(one, lang)),
    verdicts: (await reviews.verdicts(id, 5)).map(verdictView),
  }
}

const OPEN = new Set<TaskStatus>(['todo', 'in_progress', 'blocked'])

/** What in the plan keeps it from being started. */
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
