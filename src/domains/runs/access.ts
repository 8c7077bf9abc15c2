import { confinedTo } from '#contract/access.ts'
import { type Caller, callerId, callerName } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
import type { RunId } from '#contract/id-types.ts'
import { IdentityError } from '#contract/identity.ts'
import type { CrewRun } from './model.ts'

/** What a caller may see of the crews' runs; undefined: all. */
export function sightOf(by: Caller) {
  const projectId = confinedTo(by)
  if (projectId === undefined) return undefined
  return { projectId, crewId: by.kind === 'run' ? by.crewId : undefined, startedBy: callerName(by) }
}

export function maySee(run: CrewRun, by: Caller): void {
  const sight = sightOf(by)
  if (!sight) return
  if (run.projectId !== null && run.projectId === sight.projectId) return
  if (run.crewId === sight.crewId || run.startedBy === sight.startedBy) return
  throw CoreError.NOT_ALLOWED({
    what: {
      en: `Agent ${run.id} belongs to another project.`,
      ja: `エージェント ${run.id} は別のプロジェクトのものです。`,
    },
  })
}

/** The caller that started it may end it, and people may end any. */
export function mayStop(run: CrewRun, by: Caller): void {
  if (by.kind === 'operator' || run.startedBy === callerName(by)) return
  throw CoreError.NOT_ALLOWED({
    what: {
      en: `Agent ${run.id} was started by another caller (${run.startedBy}), which may stop it, as may the operator.`,
      ja: `エージェント ${run.id} を起動したのは別の呼び出し元 (${run.startedBy}) です。停止できるのは起動した側とオペレーターだけです。`,
    },
  })
}

/** A run speaks for itself, and only for itself; people may speak for any. */
export function mayReportFor(runId: RunId, opener: Caller): void {
  const own = callerId(opener)
  if (own === undefined || own === runId) return
  throw IdentityError.AGENT_MISMATCH({ claimed: runId, actual: own })
}
