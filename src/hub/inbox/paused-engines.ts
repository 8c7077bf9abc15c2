import type { InboxItem } from '#contract/inbox.ts'
import { iso } from '#kernel/clock.ts'
import { type Facts, item } from './item.ts'

const LOOKED_AT = 500

/** An engine that is not started because its account is used up, while a task waits for an agent of it. */
export async function pausedEngines({ services, projectId, names }: Facts): Promise<InboxItem[]> {
  const pauses = await services.pauses.list()
  if (pauses.length === 0) return []
  const due = (await services.tasks.listDue(LOOKED_AT)).filter(
    pair => projectId === undefined || pair.projectId === projectId,
  )
  const engines = await Promise.all(due.map(async ({ agentId }) => (await names.agent(agentId))?.engine))
  return pauses.flatMap(({ engine, since, until, reason }) => {
    const waiting = engines.filter(one => one === engine).length
    if (waiting === 0) return []
    return item({
      kind: 'engine_paused',
      about: engine,
      title: engine,
      at: since,
      until: iso(until),
      detail: reason,
      engine,
      held_up: waiting,
      command: `toryo engine resume ${engine}`,
    })
  })
}
