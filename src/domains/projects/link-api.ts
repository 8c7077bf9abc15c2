import { OPERATOR_AND_WORKERS } from '#contract/caller.ts'
import { operation } from '#kernel/operation.ts'
import type { Links } from './links.ts'
import { taskRef, taskView } from './views.ts'

type Services = { links: Links }

export const linkOperations = [
  operation({
    name: 'task.link',
    effect: 'write',
    async run({ links }: Services, input, call) {
      const place = { parentId: input.parent_id, dependsOn: input.depends_on }
      return taskView(await links.link(input.task_id, place, call.caller), call.lang)
    },
  }),
  operation({
    name: 'task.unlink',
    effect: 'write',
    async run({ links }: Services, input, call) {
      const place = { parent: input.parent ?? false, dependsOn: input.depends_on ?? [] }
      return taskView(await links.unlink(input.task_id, place, call.caller), call.lang)
    },
  }),
  operation({
    name: 'task.tree',
    effect: 'read',
    callers: OPERATOR_AND_WORKERS,
    async run({ links }: Services, input, call) {
      const from = { taskId: input.task_id, projectId: input.project_id, all: input.all ?? false }
      const { branches, truncated } = await links.tree(from, call.caller)
      const tasks = branches.map(({ task, level, waitsFor }) => ({
        ...taskView(task, call.lang),
        level,
        waits_for: waitsFor.map(taskRef),
      }))
      return { tasks, ...(truncated && { truncated }) }
    },
  }),
]
