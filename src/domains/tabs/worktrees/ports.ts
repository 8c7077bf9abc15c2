import type { ProjectId } from '#contract/id-types.ts'
/** What worktrees ask of tabs. */
export interface LiveTabs {
  /** The tab that lives in this folder. */
  at(path: string): Promise<string | undefined>
}

/** What worktrees ask of projects. */
export interface WorktreeProjects {
  /** Throws when there is none. */
  get(id: ProjectId): Promise<{ id: ProjectId; directory: string | null }>
}

/** How new worktrees are furnished, as the user's own configuration says. */
export type Furnishing = {
  setup?: readonly string[] | undefined
  setupMinutes: number
  copy?: readonly string[] | undefined
}
