import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { TaskView } from '#contract/views.ts'
import { operation } from '#kernel/operation.ts'
import { baseName } from './merge-model.ts'
import { pullView } from './pull-model.ts'
import type { Pulls } from './pulls.ts'

type Services = { pulls: Pulls; threadKeeper: { wake(): void } }

/** Where nothing was said: pull requests that were opened otherwise. */
const REMOTE = 'origin'

/** `viewOf`: the task, as people see it. */
export function pullOperations<S extends Services>(viewOf: ViewOf<S>) {
  return [
    operation({
      name: 'task.pr',
      effect: 'read',
      async run(services: S, { task_id }, { caller, lang }) {
        const { snapshotId: _, repository: __, baseRef, ...plan } = await services.pulls.plan(task_id, caller)
        const pull = await services.pulls.newest(task_id)
        const view = await viewOf(services, task_id, caller, lang)
        return { ...view, plan: { ...plan, base: baseName(baseRef) }, pull: pull ? pullView(pull) : null }
      },
    }),
    operation({
      name: 'task.pr.begin',
      effect: 'write',
      async run(services: S, { task_id, commit, remote }, { caller, lang }) {
        const pull = await services.pulls.begin(task_id, { commit, remote }, caller)
        return { ...(await viewOf(services, task_id, caller, lang)), pull: pullView(pull) }
      },
    }),
    operation({
      name: 'task.pr.record',
      effect: 'write',
      async run(services: S, { task_id, commit, remote = REMOTE, url }, { caller, lang }) {
        const pull = await services.pulls.record(task_id, { commit, remote, url }, caller)
        return { ...(await viewOf(services, task_id, caller, lang)), pull: pullView(pull) }
      },
    }),
    operation({
      name: 'task.pr.end',
      effect: 'write',
      async run(services: S, { task_id, outcome }, call) {
        const pull = await services.pulls.end(task_id, outcome, null, call.caller)
        call.afterCommit(() => services.threadKeeper.wake())
        return { ...(await viewOf(services, task_id, call.caller, call.lang)), pull: pullView(pull) }
      },
    }),
  ]
}

type ViewOf<S> = (services: S, taskId: TaskId, by: Caller, lang: Lang) => Promise<TaskView>
