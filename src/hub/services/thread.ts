// The way of a task from its workspace to a merged change.
import type { TaskId } from '#contract/id-types.ts'
import type { Holder } from '#domains/thread/workspace-model.ts'
import { Workspaces } from '#domains/thread/workspaces.ts'
import { areFree } from '#kernel/free-ports.ts'
import type { Over, Services } from '../services.ts'

export type ThreadServices = { workspaces: Workspaces }

type Needs = Pick<Services, 'projects' | 'starts' | 'runs' | 'crewRuns' | 'tabs' | 'worktrees'>

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

/** An agent's process that was started for it, and the agent that took it; runs of crews that may write, and tabs. */
async function holdersOf({ starts, runs, crewRuns, tabs }: Needs, taskId: TaskId): Promise<Holder[]> {
  const agents = [...(await starts.listOn(taskId)), ...(await runs.listOpenOn(taskId))]
  const crew = await crewRuns.listWriting(taskId)
  return [
    ...agents.map(({ agentId, epoch }) => ({ kind: 'agent' as const, agentId, epoch })),
    ...crew.map(({ id }) => ({ kind: 'run' as const, runId: id })),
    ...(await tabs.listOn(taskId)).map(({ id }) => ({ kind: 'tab' as const, tabId: id })),
  ]
}
