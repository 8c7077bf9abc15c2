// The way of a task from its workspace to a merged change.
import type { TaskId } from '#contract/id-types.ts'
import type { Holder } from '#domains/thread/workspace-model.ts'
import { Workspaces } from '#domains/thread/workspaces.ts'
import { areFree } from '#kernel/free-ports.ts'
import type { Over, Services } from '../services.ts'

export type ThreadServices = { workspaces: Workspaces }

type Needs = Pick<Services, 'agents' | 'projects' | 'starts' | 'runs' | 'crewRuns' | 'tabs' | 'worktrees'>

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
async function holdersOf({ agents, starts, runs, crewRuns, tabs }: Needs, taskId: TaskId): Promise<Holder[]> {
  const atWork = [...(await starts.listOn(taskId)), ...(await runs.listOpenOn(taskId))]
  const names = await Promise.all(atWork.map(async ({ agentId }) => (await agents.find(agentId))?.name ?? agentId))
  const crew = await crewRuns.listWriting(taskId)
  return [
    ...atWork.map(({ agentId, epoch }, at) => ({ kind: 'agent' as const, agentId, epoch, name: names[at] ?? agentId })),
    ...crew.map(({ id, role }) => ({ kind: 'run' as const, runId: id, name: role })),
    ...(await tabs.listOn(taskId)).map(({ id, branch }) => ({ kind: 'tab' as const, tabId: id, name: branch })),
  ]
}
