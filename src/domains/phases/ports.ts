import type { Caller } from '#contract/caller.ts'
import type { ProjectId } from '#contract/id-types.ts'
import type { Get } from '#kernel/fetch-json.ts'
import type { Place } from '#kernel/paths.ts'

export type ProjectFacts = { id: ProjectId; name: string; directory: string | null }

/** What the phases ask of the projects. Each refuses a project that is not the caller's to enter. */
export interface Projects {
  /** Throws when there is none. */
  enter(projectId: ProjectId, by: Caller): Promise<ProjectFacts>
  findAt(place: Place, by: Caller): Promise<ProjectFacts | undefined>
  /** Makes one for the folder when it has none. */
  ensureAt(place: Place, by: Caller): Promise<ProjectFacts>
}

/** Where prompts come from. May change while the hub runs. */
export type SourceSettings = {
  /** Undefined: from this hub itself. */
  readonly url: string | undefined
  readonly ttlMs: number
  readonly timeoutMs: number
  /** Read again for each request, so that it can be replaced. */
  readonly token: () => Promise<string | undefined>
  /** The way to a source that must prove itself before it is shown this token; undefined where it cannot. */
  readonly proven?: (token: string) => Get | undefined
}
