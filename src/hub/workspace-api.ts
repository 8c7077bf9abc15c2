// What Runners and people ask about workspaces; it takes tasks, workspaces and trust together.
import { setTimeout as sleep } from 'node:timers/promises'
import { HubError, type Lang, type Text } from '#contract/errors.ts'
import { IdentityError } from '#contract/identity.ts'
import type { WorkspaceView } from '#contract/thread.ts'
import { ThreadError } from '#contract/thread-errors.ts'
import type { Task } from '#domains/projects/model.ts'
import { nameOf } from '#domains/thread/workspace-model.ts'
import { workspaceView } from '#domains/thread/workspace-views.ts'
import { environmentOf, type Ready } from '#domains/thread/workspaces.ts'
import type { Caller } from '#contract/caller.ts'
import type { InstanceId } from '#contract/id-types.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import { machineOf } from './machine-of.ts'
import type { Services } from './services.ts'

/** A Runner's call does not wait for a long setup; it asks again. */
const PATIENCE_MS = 3_000
const MOST_SNAPSHOTS = 20

type Place =
  | { state: 'making' }
  | { state: 'failed'; problem: Text }
  | { state: 'made'; task: Task; ready: Ready; seen: Awaited<ReturnType<Services['trusts']['seenIn']>> }

/** What a task begins with here that was begun elsewhere. */
type Afresh = {
  handle: string
  from: 'snapshot' | 'branch' | 'base' | null
  commit: string | null
  machine: string | null
}

export const workspaceOperations = [
  operation<'task.here', Services, Afresh>({
    name: 'task.here',
    effect: 'write',
    prepare: async (services, { task_id }, { caller }) => afresh(services, await services.tasks.get(task_id, caller)),
    async run({ workspaces }, { task_id }, { prepared, caller }) {
      if (prepared.from !== null) await workspaces.giveUp(task_id, caller)
      return { task_id, ...prepared }
    },
  }),
  operation<'runner.workspace', Services, Place>({
    name: 'runner.workspace',
    effect: 'write',
    callers: ['runner'],
    prepare: async (services, { instance_id }, { caller }) => placeOf(services, instance_id, caller),
    async run({ trusts }, { instance_id }, { prepared, caller, lang }) {
      const nothing = { directory: null, env: {}, problem: null }
      if (prepared.state === 'making') return { ...nothing, state: 'making' as const }
      if (prepared.state === 'failed') return { ...nothing, state: 'failed' as const, problem: prepared.problem[lang] }
      const { task, ready, seen } = prepared
      const runner = caller.kind === 'runner' ? caller.name : instance_id
      const refusal = await trusts.inspect({ projectId: task.projectId, taskId: task.id, runner, ...seen }, caller)
      if (refusal) return { ...nothing, state: 'untrusted' as const, problem: refusal.text[lang] }
      return { ...nothing, state: 'ready' as const, directory: ready.folder, env: environmentOf(task, ready.workspace) }
    },
  }),
]

/** From its last snapshot, where this machine's repository has it; nothing of the other machine's files comes along. */
async function afresh(services: Services, task: Task): Promise<Afresh> {
  const { workspaces, snapshots, projects, branches } = services
  const { handle, id } = task
  const workspace = await workspaces.find(id)
  if (!workspace || workspace.releasedAt !== null || (await workspaces.isHere(id)))
    return { handle, from: null, commit: null, machine: null }
  await workspaces.mustBeFree(task)
  const { directory } = await projects.get(task.projectId)
  if (directory === null) throw ThreadError.NO_WORKSPACE({ handle })
  const { name: machine } = await machineOf(services, id)
  const commit = (await snapshots.list(id, MOST_SNAPSHOTS)).find(one => one.commit !== null)?.commit ?? null
  // A commit that is not here is in nothing.
  const isHere = commit !== null && (await branches.contains(directory, commit, commit))
  if (isHere && (await branches.branchAt(directory, workspace.branch, commit)))
    return { handle, from: 'snapshot', commit, machine }
  const from = (await services.repositories.hasBranch(directory, workspace.branch)) ? 'branch' : 'base'
  return { handle, from, commit: null, machine }
}

async function placeOf(services: Services, instanceId: InstanceId, by: Caller): Promise<Place> {
  const { starts, tasks, projects, workspaces, trusts } = services
  const instance = await starts.findOwn(instanceId, by)
  const taskId = instance?.taskId ?? undefined
  const task = taskId && (await tasks.find(taskId))
  const project = task && (await projects.find(task.projectId))
  if (!task || !project || project.directory === null) throw IdentityError.TICKET_REFUSED()
  const made = workspaces.ensure(task, by)
  made.catch(() => {}) // The next caller hears of it.
  try {
    const enough = new AbortController()
    const waited = sleep(PATIENCE_MS, undefined, { signal: enough.signal }).catch(() => undefined)
    const ready = await Promise.race([made, waited]).finally(() => enough.abort())
    if (!ready) return { state: 'making' }
    return { state: 'made', task, ready, seen: await trusts.seenIn(ready.folder, project.directory) }
  } catch (error) {
    if (error instanceof HubError && error.kind !== 'internal') return { state: 'failed', problem: error.text }
    throw error
  }
}

/** The task's workspace and its holder; and why no agent is started in it though one should be. */
export async function workspaceOf(
  services: Pick<Services, 'workspaces' | 'worktrees' | 'projects' | 'runs' | 'runners'>,
  task: Task,
  lang: Lang,
): Promise<{ view: WorkspaceView | null; problem: Text | undefined }> {
  const { workspaces, worktrees, projects } = services
  const workspace = await workspaces.find(task.id)
  const worktree = workspace && (await worktrees.get(workspace.worktreeId))
  const holder = await workspaces.holderOf(task.id)
  const view = workspace && worktree ? workspaceView(workspace, worktree, holder, lang) : null
  const { workspace: mode } = await projects.get(task.projectId)
  if (mode !== 'task' || task.status !== 'in_progress' || task.assigneeId === null) return { view, problem: undefined }
  const isOwn = !holder || (holder.kind === 'agent' && holder.agentId === task.assigneeId)
  if (!isOwn) {
    const busy = ThreadError.WORKSPACE_BUSY({ handle: task.handle, holder: nameOf(holder) })
    return { view, problem: busy.text }
  }
  if (!worktree || workspace.releasedAt !== null || (await workspaces.isHere(task.id)))
    return { view, problem: undefined }
  const { name: machine, awaySince } = await machineOf(services, task.id)
  const away = awaySince === null ? null : iso(awaySince)
  const there = { handle: task.handle, path: worktree.path, machine, away }
  return { view, problem: ThreadError.WORKSPACE_ELSEWHERE(there).text }
}
