import type { InboxItem } from '#contract/inbox.ts'
import type { Lang } from '#contract/errors.ts'
import { tailIn } from '#domains/thread/check-words.ts'
import type { Evidence } from '#domains/thread/model.ts'
import { HUB } from '../own-caller.ts'
import { whyBlocked } from '../why-blocked.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/** A task that its agent, or the hub, has given up on until a person says how to go on. */
export async function blockedTasks({ services, projectId, names, lang }: Facts): Promise<InboxItem[]> {
  const tasks = await services.tasks.list({ projectId, status: 'blocked' }, undefined, MOST, HUB)
  const heldUp = await services.tasks.heldUpBy(tasks.map(({ id }) => id))
  return Promise.all(
    tasks.map(async task => {
      const outcome = (await services.merges.newest(task.id, HUB, lang))?.outcome
      const [last] = await services.runs.list({ taskId: task.id }, undefined, 1, HUB)
      const { reason, check } = await whyBlocked(services, task, last)
      return item({
        ...(await aboutTask(task, names)),
        kind: 'blocked',
        merge: outcome === 'conflict' || outcome === 'failed' ? outcome : null,
        detail: reason?.[lang] ?? task.blockedReason,
        check: check ? checkOf(check, lang) : null,
        held_up: heldUp.get(task.id) ?? 0,
        command: `toryo task answer ${task.handle}`,
      })
    }),
  )
}

const SHOWN_LINES = 15

/** The end of its output says most; the log has the rest. */
function checkOf(check: Evidence, lang: Lang): InboxItem['check'] {
  const lines = tailIn(lang, check).trimEnd().split('\n').slice(-SHOWN_LINES)
  return { evidence_id: check.id, name: check.name, tail: lines.join('\n') }
}
