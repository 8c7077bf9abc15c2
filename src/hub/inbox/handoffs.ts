import type { InboxItem } from '#contract/inbox.ts'
import { HUB } from '../own-caller.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/** A task that an agent handed on without a receiver: it waits until a person assigns it. */
export async function openHandoffs({ services, projectId, names }: Facts): Promise<InboxItem[]> {
  const open = (await services.handoffs.listOpen({ projectId }, '', MOST, HUB)).filter(one => one.toAgentId === null)
  const found = await Promise.all(
    open.map(async ({ taskId, fromAgentId, summary, createdAt }) => {
      const task = await services.tasks.find(taskId)
      if (!task || (projectId !== undefined && task.projectId !== projectId)) return undefined
      const from = await names.agent(fromAgentId)
      return item({
        ...(await aboutTask(task, names)),
        ...{ kind: 'handoff' as const, at: createdAt, detail: summary },
        ...{ agent_id: fromAgentId, agent_name: from?.name ?? null, engine: from?.engine ?? null },
        command: `toryo task start ${task.handle} --agent <agent>`,
      })
    }),
  )
  return found.filter(one => one !== undefined)
}
