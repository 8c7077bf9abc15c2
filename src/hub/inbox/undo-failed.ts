import type { InboxItem } from '#contract/inbox.ts'
import type { Merge } from '#domains/thread/merge-model.ts'
import { whyNotUndone } from '#domains/thread/merge-model.ts'
import { HUB } from '../own-caller.ts'
import { aboutTask, type Facts, item, MOST, RECENT_MS } from './item.ts'

/** A person asked to undo a merge, and the base is as it was. */
export async function undoFailed({ services, projectId, names, lang }: Facts): Promise<InboxItem[]> {
  const found = await services.merges.undoneInVain(projectId, RECENT_MS, MOST)
  const items = await Promise.all(
    found.map(async (merge: Merge) => {
      const task = await services.tasks.get(merge.taskId, HUB)
      if (task.deletedAt !== null || merge.endedAt === null) return []
      const redo = merge.kind === 'redo' ? ' --redo' : ''
      return item({
        ...(await aboutTask(task, names)),
        about: merge.id,
        kind: 'undo_failed',
        at: merge.endedAt,
        detail: whyNotUndone(merge, (await services.merges.undoneCommit(merge)) ?? '')[lang],
        command: `toryo task undo-merge ${task.handle}${redo}`,
      })
    }),
  )
  return items.flat()
}
