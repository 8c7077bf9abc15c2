import { isOperatorName } from '#contract/caller.ts'
import type { InboxItem } from '#contract/inbox.ts'
import { DecisionSuperseded } from '#contract/memory.ts'
import { HUB } from '../own-caller.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/**
 * A task that is being worked on, and follows a decision that was replaced after its agent had read it. An agent that is started later
 * reads the one that stands.
 */
export async function replacedDecisions({ services, events, projectId, names }: Facts): Promise<InboxItem[]> {
  const tasks = await services.tasks.list({ projectId, status: 'in_progress' }, undefined, MOST, HUB)
  if (tasks.length === 0) return []
  const runs = await services.runs.openOf(tasks.map(({ id }) => id))
  const tabs = (await services.tabs.list({ live: true, projectId }, '', MOST, HUB)).filter(tab => tab.taskId !== null)
  const found = await Promise.all(
    tasks.map(async task => {
      const run = runs.get(task.id)
      const tab = tabs.find(({ taskId }) => taskId === task.id)
      const readAt = run?.takenAt ?? tab?.createdAt
      if (readAt === undefined || readAt === null) return undefined
      const replaced = (await services.taskDecisions.replaced(task.id)).filter(
        ({ newest }) => newest.createdAt >= readAt,
      )
      if (replaced.length === 0) return undefined
      const told = await events.newestOf(DecisionSuperseded, task.projectId, { taskId: task.id })
      return item({
        ...(await aboutTask(task, names)),
        kind: 'decision_replaced',
        at: Math.max(...replaced.map(({ newest }) => newest.createdAt)),
        detail: replaced
          .map(({ decision, newest }) => `#${decision.id} ${decision.decision}\n→ #${newest.id} ${newest.decision}`)
          .join('\n'),
        tab_id: tab?.id ?? null,
        quiet: told !== undefined && isOperatorName(told.caller),
        command: tab ? `toryo tab send ${tab.id} "…"` : `toryo task show ${task.handle}`,
      })
    }),
  )
  return found.filter(one => one !== undefined)
}
