// Tasks in progress whose agent works on another one: of an agent, one instance works in a project at a time.
import type { AgentId, TaskId } from '#contract/id-types.ts'
import type { TaskRef } from '#contract/order.ts'
import type { WaitingTask, WorkView } from '#contract/work.ts'
import { stageOf, type Task } from '#domains/projects/model.ts'
import { taskRef } from '#domains/projects/views.ts'
import { Names } from './inbox/item.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'
import { LOOKED_AT } from './workflows/start-for.ts'

/** Task → what its agent works on instead. */
export async function busyAgents(
  { runs, tasks }: Pick<Services, 'runs' | 'tasks'>,
  candidates: readonly Task[],
): Promise<Map<TaskId, TaskRef>> {
  const assigned = candidates.filter(task => stageOf(task) === 'working' && task.assigneeId !== null)
  const agents = new Set(assigned.map(({ assigneeId }) => assigneeId as AgentId))
  const open = await runs.listOpenBy([...agents])
  const isWorkedOn = new Set(open.map(({ taskId }) => taskId))
  const waiting = assigned.flatMap(task => {
    const run = open.find(({ agentId, projectId }) => agentId === task.assigneeId && projectId === task.projectId)
    return run && !isWorkedOn.has(task.id) ? [{ id: task.id, on: run.taskId }] : []
  })
  if (waiting.length === 0) return new Map()
  const ids = [...new Set(waiting.map(({ on }) => on))]
  const worked = await tasks.list({ ids }, undefined, ids.length, HUB)
  return new Map(
    waiting.flatMap(({ id, on }) => {
      const task = worked.find(one => one.id === on)
      return task ? [[id, taskRef(task)] as const] : []
    }),
  )
}

/** Of the agents that this work is done by. */
export async function waitingTasks(services: Services, open: readonly WorkView[]): Promise<WaitingTask[]> {
  const pairs = new Map(open.map(one => [`${one.agent_id} ${one.project_id}`, one]))
  const lists = [...pairs.values()].map(async ({ agent_id: agentId, project_id: projectId }) =>
    agentId === null || projectId === null
      ? []
      : services.tasks.listWork(projectId, agentId, ['in_progress'], LOOKED_AT),
  )
  const candidates = (await Promise.all(lists)).flat()
  const busy = await busyAgents(services, candidates)
  const names = new Names(services)
  const views = candidates.map(async ({ id, handle, title, projectId, assigneeId }): Promise<WaitingTask[]> => {
    const ahead = busy.get(id)
    if (!ahead || assigneeId === null) return []
    const agent = (await names.agent(assigneeId))?.name ?? assigneeId
    const of = { task_id: id, handle, title, project_id: projectId }
    return [{ ...of, agent_id: assigneeId, agent_name: agent, agent_busy_with: ahead }]
  })
  return (await Promise.all(views)).flat()
}
