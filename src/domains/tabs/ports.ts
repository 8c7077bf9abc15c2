import type { Caller } from '#contract/caller.ts'
import type { SetupFailure } from '#contract/why.ts'
import type { ProjectId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { Text } from '#contract/errors.ts'
import type { Permission, TabPermission } from '#contract/permission.ts'
import type { Branch } from '#kernel/git/branches.ts'
import type { Place } from '#kernel/paths.ts'
import type { Screen } from '#kernel/terminals/terminals.ts'
import type { Sight, Tab } from './model.ts'

export type ProjectFacts = { id: ProjectId; directory: string | null }

/** What tabs ask of the projects. Each refuses a project that is not the caller's to enter. */
export interface Projects {
  /** Throws when there is none. */
  enter(projectId: ProjectId, by: Caller): Promise<ProjectFacts>
  findAt(place: Place, by: Caller): Promise<ProjectFacts | undefined>
  /** Makes one for the folder when it has none. */
  ensureAt(place: Place, by: Caller): Promise<ProjectFacts>
}

/** What the hub's git knows of a folder; only `forward` and `branchAt` write. */
export interface Repositories {
  /** The top of the working tree that the folder is in; undefined when it is in none. */
  topOf(directory: string): Promise<string | undefined>
  hasBranch(directory: string, branch: string): Promise<boolean>
  /** What the folder has checked out: no branch when it is detached, no commit before the first one. */
  /** Makes a branch that begins at this commit. False: there is one of this name, which stays as it is. */
  branchAt(directory: string, branch: string, commit: string): Promise<boolean>
  /** Whether a commit is in what the ref leads to; false for one that is not here. */
  contains(directory: string, ref: string, commit: string): Promise<boolean>
  headOf(directory: string): Promise<{ branch: string | undefined; commit: string | undefined }>
  /** Its branches, those that were committed to last first. */
  branches(directory: string, limit: number, signal?: AbortSignal): Promise<Branch[]>
  /** A branch that has nothing which the other lacks goes to where that is. One that has, or that is checked out, stays. */
  forward(directory: string, branch: string, ref: string): Promise<void>
  /** Throws NOT_A_REPOSITORY, INVALID_BRANCH or BASE_NOT_FOUND. */
  check(wish: { directory: string; branch: string; base?: string | undefined }): Promise<void>
}

/** What tabs ask of the workspaces of tasks. */
export interface TaskWorkspaces {
  /** What a launch for this task is. Throws when its project has no workspaces, or this hub not this one. Reads only. */
  plan(taskId: TaskId, by: Caller): Promise<{ projectId: ProjectId; branch: string; prompt: string }>
  /** The task whose workspace has this branch. */
  taskOn(projectId: ProjectId, branch: string): Promise<TaskId | undefined>
  /** Throws WORKSPACE_BUSY while an agent or a person works there. */
  mustBeFree(taskId: TaskId): Promise<void>
  /** `env`: what programs find there in their environment. Slow; not for use inside a transaction. */
  ensure(
    taskId: TaskId,
    by: Caller,
    meanwhile: Meanwhile,
  ): Promise<{ id: WorktreeId; path: string; env: Readonly<Record<string, string>> }>
}

/** Asked before an engine starts in a folder. */
export interface Trust {
  /** Throws TRUST_REQUIRED where the folder brings agent configuration that no person has trusted. */
  check(directory: string): Promise<void>
}

export type Start = {
  /** An absolute path. */
  program: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** How the engine will know the conversation, if that is known beforehand. */
  session?: string | undefined
}

export interface TabEngines {
  /** Why it cannot run in a terminal here; undefined when it can. */
  problem(engine: string): string | undefined
  /** Why it cannot go on with a conversation; undefined when it can. */
  resumeProblem(engine: string): Text | undefined
  /** Writes what it needs into the folder, which is its alone; works in the directory. */
  start(
    tab: { engine: string; permission: TabPermission; resumes: string | null },
    at: { folder: string; directory: string },
    env: Readonly<Record<string, string>>,
  ): Promise<Start>
  sight(engine: string, screen: Screen): Sight
  /** Whether this line still stands in its prompt, unsent. */
  holds(engine: string, screen: Screen, line: string): boolean
  /** Whether Enter would answer a question of it now, instead of sending this line. */
  enterAnswers(engine: string, screen: Screen, line: string): boolean
  /** How it named its conversation when it ended, with these lines on its screen. */
  farewell(engine: string, lines: readonly string[]): string | undefined
  /** Whether we know how its prompt looks. */
  knows(engine: string): boolean
}

export type ChangedFile = { path: string; status: 'added' | 'modified' | 'deleted' | 'renamed' }

export type Meanwhile = { progress?: (text: string) => void; signal?: AbortSignal }
export type WorktreeFacts = { id: WorktreeId; path: string; setup: { state: string; error: SetupFailure | null } }

export interface Worktrees {
  get(id: WorktreeId): Promise<WorktreeFacts>
  ensure(
    wish: { projectId: ProjectId; directory: string; branch: string; base?: string | undefined },
    by: Caller,
    meanwhile?: Meanwhile,
  ): Promise<WorktreeFacts>
  /** Where a project that is a part of its repository has its part; the worktree itself where it has none. */
  folderIn(worktree: Pick<WorktreeFacts, 'path'>, directory: string): Promise<string>
  /** What the project wants done before an agent works there. A failure is written down and does not throw. */
  setup(id: WorktreeId, by: Caller, meanwhile?: Meanwhile): Promise<WorktreeFacts>
  /** To what is said while that is done; answers how to hear no more. */
  listen(listener: (worktreeId: WorktreeId, line: string) => void): () => void
  changedFiles(id: WorktreeId, signal?: AbortSignal): Promise<{ files: ChangedFile[]; truncated: boolean }>
  diff(id: WorktreeId, maxBytes: number, signal?: AbortSignal): Promise<{ diff: string; truncated: boolean }>
}

/** What the terminals of tabs show. */
export interface TabScreens {
  /** Undefined: its terminal is not here, or not any more. */
  sight(tab: Tab): Promise<Sight | undefined>
  /** What it shows now. Undefined: its terminal is not here, or not any more. */
  screen(tab: Tab): Promise<string[] | undefined>
  /** What an ended one showed last. Undefined: it never had a terminal, or not here, or that is long ago. */
  lastScreen(tab: Tab): Promise<string[] | undefined>
}

/** What this caller was started with; undefined: a person, who may do anything. */
export type StartedWith = (caller: Caller) => Promise<Permission | undefined>

/** What the file of the project says besides; where it is silent, only the user's own limits count. */
export type Narrowed = (
  projectId: ProjectId,
) => Promise<{ tabs?: number; launchesPerMinute?: number; depth?: number; file: string }>

export type Limits = { tabs: number; launchesPerMinute: number; depth: number; hops: number }
