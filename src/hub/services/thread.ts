// The way of a task from its workspace to a merged change.
import type { TaskId } from '#contract/id-types.ts'
import type { Holder } from '#domains/thread/workspace-model.ts'
import { Workspaces } from '#domains/thread/workspaces.ts'
import { areFree } from '#kernel/free-ports.ts'
import type { Over, Services } from '../services.ts'

export type ThreadServices = { workspaces: Workspaces }

type Needs = Pick<Services, 'projects' | 'starts' | 'runs' | 'worktrees'>

export function threadServices({ db, kernel }: Over, needs: Needs): ThreadServices {
  const { events, clock, making, tabs } = kernel
  const { projects, worktrees } = needs
  const workspaces = new Workspaces({
    db,
    events,
    clock,
    projects,
    worktrees,
    heads: tabs.repositories,
    holders: { listOn: taskId => holdersOf(needs, taskId) },
    making,
    areFree,
  })
  return { workspaces }
}

/** A process that was started for it, or an agent that took it; both for most of the time. */
async function holdersOf({ starts, runs }: Needs, taskId: TaskId): Promise<Holder[]> {
  const instances = await starts.listOn(taskId)
  const open = await runs.listOpenOn(taskId)
  return [...instances, ...open].map(({ agentId, epoch }) => ({ kind: 'agent' as const, agentId, epoch }))
}
