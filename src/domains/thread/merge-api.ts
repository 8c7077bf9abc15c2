import { mayEnter } from '#contract/access.ts'
import { operation } from '#kernel/operation.ts'
import type { EvidenceLog } from './evidence.ts'
import type { Merges } from './merges.ts'
import { evidenceView } from './views.ts'

type Services = { merges: Merges; evidence: Pick<EvidenceLog, 'ofMerge'>; threadKeeper: { wake(): void } }

export const mergeOperations = [
  operation({
    name: 'merge.list',
    effect: 'read',
    async run({ merges }: Services, input, { caller, lang }) {
      const filter = {
        projectId: input.project_id,
        taskId: input.task_id,
        ended: input.ended ?? false,
        returned: input.returned,
      }
      if (input.project_id !== undefined) mayEnter(input.project_id, caller)
      return { merges: await merges.list(filter, caller, lang) }
    },
  }),
  operation({
    name: 'merge.show',
    effect: 'read',
    run: async ({ merges, evidence }: Services, { merge_id }, { caller, lang }) => ({
      ...(await merges.show(merge_id, caller, lang)),
      evidence: (await evidence.ofMerge(merge_id)).map(one => evidenceView(one, lang)),
    }),
  }),
  operation({
    name: 'task.undo_merge',
    effect: 'write',
    async run({ merges, threadKeeper }: Services, { task_id, redo = false }, call) {
      const { caller, lang } = call
      const { id } = await merges.undo(task_id, redo, caller)
      call.afterCommit(() => threadKeeper.wake())
      return { merge: await merges.view(id, caller, lang) }
    },
  }),
  operation({
    name: 'task.merge',
    effect: 'write',
    async run({ merges, threadKeeper }: Services, input, call) {
      const { caller, lang } = call
      const merge = await merges.enqueue(input.task_id, undefined, caller)
      // Also one that waits already: the caller has done something about what it waited for.
      call.afterCommit(() => threadKeeper.wake())
      if (merge === undefined) return { merge: null }
      const [view] = (await merges.list({ taskId: input.task_id, ended: true }, caller, lang)).filter(
        one => one.merge_id === merge.id,
      )
      return { merge: view ?? null }
    },
  }),
]
