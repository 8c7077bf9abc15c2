import type { InboxItem } from '#contract/inbox.ts'
import { didNotMergeBefore } from '#domains/thread/merge-model.ts'
import { HUB } from '../own-caller.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/** Reported work whose checks passed, and that a person is to accept. */
export async function reviews({ services, projectId, names, lang }: Facts): Promise<InboxItem[]> {
  const tasks = await services.tasks.list({ projectId, stage: 'review' }, undefined, MOST, HUB)
  const heldUp = await services.tasks.heldUpBy(tasks.map(({ id }) => id))
  return Promise.all(
    tasks.map(async task => {
      const merge = await services.merges.newest(task.id, HUB, lang)
      const didNotMerge = merge?.kind === 'merge' && merge.outcome === 'conflict'
      return item({
        ...(await aboutTask(task, names)),
        kind: 'review',
        merge: didNotMerge ? 'conflict' : null,
        detail: didNotMerge ? didNotMergeBefore(merge.base, merge.files)[lang] : null,
        at: task.facts.verifiedAt,
        held_up: heldUp.get(task.id) ?? 0,
        command: `toryo task review ${task.handle}`,
      })
    }),
  )
}
