import type { InboxItem } from '#contract/inbox.ts'
import { HUB } from '../own-caller.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/** A task that its agent, or the hub, has given up on until a person says how to go on. */
export async function blockedTasks({ services, projectId, names, lang }: Facts): Promise<InboxItem[]> {
  const tasks = await services.tasks.list({ projectId, status: 'blocked' }, undefined, MOST, HUB)
  const heldUp = await services.tasks.heldUpBy(tasks.map(({ id }) => id))
  return Promise.all(
    tasks.map(async task => {
      const outcome = (await services.merges.newest(task.id, HUB, lang))?.outcome
      return item({
        ...(await aboutTask(task, names)),
        kind: 'blocked',
        merge: outcome === 'conflict' || outcome === 'failed' ? outcome : null,
        detail: task.blockedReason,
        held_up: heldUp.get(task.id) ?? 0,
        command: `toryo task answer ${task.handle}`,
      })
    }),
  )
}
