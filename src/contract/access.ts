// Where a caller may act. Knows the kinds of callers, no domain.
import { type Caller, callerId } from './caller.ts'
import { CoreError } from './errors.ts'
import type { ProjectId } from './id-types.ts'

/** The project that the caller works in and never leaves; null: it has none; undefined: it goes everywhere. */
export function confinedTo(by: Caller): ProjectId | null | undefined {
  return 'projectId' in by ? by.projectId : undefined
}

/** A caller that was started for a project, or signed in to it, sees that project only. */
export function mayEnter(projectId: ProjectId, by: Caller): void {
  const own = confinedTo(by)
  if (own === undefined || own === projectId) return
  const who = callerId(by) ?? by.kind
  throw CoreError.NOT_ALLOWED({
    what:
      own === null
        ? {
            en: `This connection belongs to ${who}, which works outside of every project.`,
            ja: `この接続はどのプロジェクトにも属さない ${who} のものです。プロジェクトは操作できません。`,
          }
        : {
            en: `This connection belongs to ${who} in project ${own}; the request is about another project.`,
            ja: `この接続はプロジェクト ${own} の ${who} のものです。別のプロジェクトは操作できません。`,
          },
  })
}
