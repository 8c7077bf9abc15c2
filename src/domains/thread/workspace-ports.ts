import type { Caller } from '#contract/caller.ts'
import type { SetupFailure } from '#contract/why.ts'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { WorkspaceMode } from '#contract/projects.ts'
import type { Holder } from './workspace-model.ts'

/** What a workspace is made for. */
export type TaskFacts = { id: TaskId; projectId: ProjectId; handle: string; title: string; branch: string | null }

export type WorktreeFacts = {
  id: WorktreeId
  home: string
  path: string
  baseRef: string | null
  setup: { state: string; error: SetupFailure | null }
}

/** What to say while it takes its time, and when to give up. */
export type Meanwhile = { progress?: ((text: string) => void) | undefined; signal?: AbortSignal | undefined }

export interface WorkspaceProjects {
  /** Throws when there is none. */
  get(
    id: ProjectId,
  ): Promise<{ id: ProjectId; directory: string | null; workspace: WorkspaceMode; base: string | null }>
}

/** What workspaces ask of worktrees. Slow; not for use inside a transaction, but for `get`. */
export interface WorkspaceWorktrees {
  get(id: WorktreeId): Promise<WorktreeFacts>
  /** Which worktrees are this hub's. */
  home(): Promise<string>
  /** Undefined: it is not there, or not this hub's. */
  findPresent(id: WorktreeId): Promise<WorktreeFacts | undefined>
  ensure(
    wish: { projectId: ProjectId; directory: string; branch: string; base?: string | undefined; own: true },
    by: Caller,
    meanwhile?: Meanwhile,
  ): Promise<WorktreeFacts>
  setup(id: WorktreeId, by: Caller, meanwhile?: Meanwhile): Promise<WorktreeFacts>
  folderIn(worktree: Pick<WorktreeFacts, 'path'>, directory: string): Promise<string>
  remove(id: WorktreeId, options: { force: boolean; keep: boolean }, by: Caller): Promise<unknown>
  /** Files that are not as this commit has them, saved or not. */
  changedSince(id: WorktreeId, commit: string): Promise<string[]>
}

export interface Heads {
  /** What the folder has checked out: no branch when it is detached, no commit before the first one. */
  headOf(directory: string): Promise<{ branch: string | undefined; commit: string | undefined }>
  /** A branch that has nothing which the other lacks goes to where that is. One that has, or that is checked out, stays. */
  forward(directory: string, branch: string, ref: string): Promise<void>
}

export interface Holders {
  /** All that work on this task now; usually none or one. */
  listOn(taskId: TaskId): Promise<Holder[]>
}
