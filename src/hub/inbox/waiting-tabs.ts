import type { InboxItem } from '#contract/inbox.ts'
import { TabStatusChanged } from '#contract/tabs.ts'
import { HUB } from '../own-caller.ts'
import { type Facts, item, MOST } from './item.ts'

/** A tab whose program shows a dialog: it goes on when a person has answered it. */
export async function waitingTabs({ services, events, projectId, names }: Facts): Promise<InboxItem[]> {
  const { tabs } = services
  const live = await tabs.list({ live: true, projectId }, '', MOST, HUB)
  const found = await Promise.all(
    live.map(async tab => {
      if ((await tabs.status(tab)) !== 'waiting') return undefined
      const lines = (await tabs.screen(tab)) ?? []
      const changed = await events.newestOf(TabStatusChanged, tab.projectId, { tabId: tab.id, status: 'waiting' })
      const task = tab.taskId === null ? undefined : await services.tasks.find(tab.taskId)
      // Who signed in there knows best; else it is the one that the task is assigned to.
      const agentId = (await services.identity.agentOn(tab.ticketConnections)) ?? task?.assigneeId ?? null
      const agent = await names.agent(agentId)
      return item({
        ...(task && { task_id: task.id, handle: task.handle, priority: task.priority }),
        ...(agent && { agent_id: agentId, agent_name: agent.name }),
        kind: 'tab_waits',
        about: tab.id,
        title: tab.branch,
        at: changed?.at ?? null,
        detail:
          lines
            .filter(line => line.trim() !== '')
            .slice(-SHOWN_LINES)
            .join('\n') || null,
        project_id: tab.projectId,
        project_name: await names.project(tab.projectId),
        engine: tab.engine,
        tab_id: tab.id,
        // A branch, as people know it, unless another live tab has the same.
        command: `toryo tab attach ${live.filter(({ branch }) => branch === tab.branch).length > 1 ? tab.id : tab.branch}`,
      })
    }),
  )
  return found.filter(one => one !== undefined)
}

/** Of its screen, from below: a dialog is where the cursor is. */
const SHOWN_LINES = 12
