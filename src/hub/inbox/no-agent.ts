import type { ProjectId } from '#contract/id-types.ts'
import type { InboxItem } from '#contract/inbox.ts'
import type { Task } from '#domains/projects/model.ts'
import { HUB } from '../own-caller.ts'
import type { Services } from '../services.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/** A task in progress without an agent: no Runner will ever start one for it. */
export async function noAgent({ services, projectId, names }: Facts): Promise<InboxItem[]> {
  const tasks = await tasksWithoutAgent(services, projectId)
  return Promise.all(
    tasks.map(async task =>
      item({ ...(await aboutTask(task, names)), kind: 'no_agent', command: `toryo task start ${task.handle}` }),
    ),
  )
}

export async function tasksWithoutAgent(
  { tasks, links, handoffs }: Pick<Services, 'tasks' | 'links' | 'handoffs'>,
  projectId?: ProjectId,
): Promise<Task[]> {
  const found = await tasks.list({ projectId, stage: 'working', assigneeId: null }, undefined, MOST, HUB)
  if (found.length === 0) return []
  const parts = await links.children(...found)
  const handedOn = await handoffs.listOpen({ projectId }, '', MOST, HUB)
  const others = new Set([
    // The agents of its open sub-tasks work for it.
    ...parts.flatMap(({ status, parentId }) => (status === 'done' || status === 'cancelled' ? [] : parentId)),
    // Its handoff is an item of its own.
    ...handedOn.map(({ taskId }) => taskId),
  ])
  return found.filter(({ id }) => !others.has(id))
}
