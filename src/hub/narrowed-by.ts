import type { ProjectId } from '#contract/id-types.ts'
import type { Projects } from '#domains/projects/projects.ts'
import { type Narrowing, PROJECT_FILE, type ProjectLimits } from './project-limits.ts'

export type Narrowed = (projectId: ProjectId | null) => Promise<Narrowing & { file: string }>

/** By the file in the project's own folder: a branch in a worktree cannot change what it says. */
export function narrowedBy(limits: ProjectLimits, projects: Pick<Projects, 'find'>): Narrowed {
  return async projectId => {
    const directory = projectId === null ? null : (await projects.find(projectId))?.directory
    return { ...(directory ? limits.in(directory) : {}), file: PROJECT_FILE }
  }
}
