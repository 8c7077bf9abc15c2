import { confinedTo } from '#contract/access.ts'
import { type Caller, callerId, callerName } from '#contract/caller.ts'
import { CoreError } from '#contract/errors.ts'
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

/** A run speaks for itself, and only for itself; people may speak for any. */
export function mayReportFor(runId: string, opener: Caller): void {
  const own = callerId(opener)
  if (own === undefined || own === runId) return
  throw IdentityError.AGENT_MISMATCH({ claimed: runId, actual: own })
}
