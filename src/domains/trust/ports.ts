import type { ProjectId } from '#contract/id-types.ts'
import type { AgentConfigSeen } from '#contract/trust.ts'

export interface Scout {
  /** What programs started in this folder would obey, relative to the top of the project. */
  look(directory: string, project?: string): Promise<Omit<AgentConfigSeen, 'remote'>>
  /** The folder that trust in a project is kept for, and the address of its origin. */
  placeOf(project: string): Promise<{ directory: string; remote: string }>
}

export type Owner = { id: ProjectId; directory: string }

export interface Owners {
  /** The project that a folder belongs to: as its folder, inside of it, or in a worktree of it. */
  of(directory: string): Promise<Owner | undefined>
}
