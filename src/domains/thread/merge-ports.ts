// What the merge queue asks of others.
import type { Caller } from '#contract/caller.ts'
import type { AgentId, MergeId, ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Text } from '#contract/errors.ts'
import type { Blocked, CheckRemark } from '#contract/why.ts'
import type { MergeMethod, Stage } from '#contract/projects.ts'

export type MergedTask = {
  id: TaskId
  projectId: ProjectId
  handle: string
  title: string
  stage: Stage
  assigneeId: AgentId | null
  deletedAt: number | null
  accepted: boolean
  method: MergeMethod
  /** Of its project: most often in the checkout of the base. */
  directory: string | null
}

export interface MergeTasks {
  /** Throws when there is none, or when the caller may not see it. */
  get(id: TaskId, by: Caller): Promise<MergedTask>
  /** It waits for its turn since then; null: it does not. */
  queued(id: TaskId, at: number | null, by: Caller): Promise<void>
  /** Nothing happens to a task that is not done any more. */
  merged(id: TaskId, at: number, by: Caller): Promise<void>
  /** Its merge was taken out of the base: it is to do again, or not at all. Nothing happens to a task that is not done any more. */
  undone(id: TaskId, by: Caller): Promise<void>
  /** And is in the base again: done, as it was. Nothing happens to a task that was begun again. */
  redone(id: TaskId, at: number, by: Caller): Promise<void>
  /** Back to its agent: in progress again. Nothing happens to a task that is not done any more. */
  returned(id: TaskId, by: Caller): Promise<void>
  /** A person must look at it. */
  blocked(id: TaskId, why: Blocked, by: Caller): Promise<void>
}

/** The repository's git folder, and whose it is: `here`, this hub's. */
export type Place = { repository: string; home: string; here: boolean }

export interface MergeWorkspaces {
  /** Where the worktree is. */
  repositoryOf(worktreeId: WorktreeId): Promise<Place | undefined>
  /** Of work that another hub merges: whose turn it is to do that. */
  mergedBy?(taskId: TaskId): Promise<Text>
  /** Work on the project lies on more than one machine. */
  isOnSeveral(projectId: ProjectId): Promise<boolean>
  /** Its worktree goes to the trash. May be asked again. */
  release(taskId: TaskId, by: Caller): Promise<void>
}

export type CheckedMerge = {
  mergeId: MergeId
  taskId: TaskId
  projectId: ProjectId
  repository: string
  commit: string
  tree: string
}

export interface MergeChecks {
  /**
   * Runs the project's checks on the merged tree; without any, or on a tree that passed them in a clean checkout before, they have
   * passed. `unable`: it could not even be started.
   */
  run(
    merge: CheckedMerge,
    signal: AbortSignal,
  ): Promise<
    { outcome: 'passed' } | { outcome: 'failed'; check: string; unable?: boolean; remark?: CheckRemark | null }
  >
  /** Whether there is nothing left to run. A check may be added, or changed, at any time. */
  isPassed(merge: CheckedMerge): Promise<boolean>
}
