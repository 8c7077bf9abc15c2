import type { AgentId, ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { AcceptPolicy } from '#contract/projects.ts'
import type { Checkout } from '#kernel/git/overlay.ts'

export type ThreadProject = {
  id: ProjectId
  name: string
  directory: string | null
  accept: AcceptPolicy
  reviewerId: AgentId | null
}

/** What the thread asks of projects. */
export interface ThreadProjects {
  /** Throws when there is none. */
  get(id: ProjectId): Promise<ThreadProject>
  /** The project of a folder, or of one around it. */
  around(directory: string): Promise<ThreadProject | undefined>
}

/** A worktree that is there, on this machine. */
export type OpenWorktree = {
  checkout: Checkout
  branch: string | null
  /** Where the project is in it. */
  folder: string
  /** The commit that its own changes begin after. */
  base: string
}

/** What the thread asks of worktrees. */
export interface ThreadWorktrees {
  /** Names this machine's; undefined while it has none. */
  home(): Promise<string | undefined>
  /** Throws a sentence when it is gone, or on another machine. */
  open(id: WorktreeId): Promise<OpenWorktree>
}

/** What the thread asks of folders. */
export interface ThreadFolders {
  /** Where the checks of a task run, on this machine; throws when it has no such folder, or another machine has it. */
  ofTask(taskId: TaskId): Promise<string>
}
