import type { Caller } from '#contract/caller.ts'
import type { AgentId, ProjectId, RunId, TaskId, WorktreeId } from '#contract/id-types.ts'
import type { AcceptPolicy, Stage, TaskStatus } from '#contract/projects.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Checkout } from '#kernel/git/overlay.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Blocked } from '#contract/why.ts'
import type { Snapshot } from './model.ts'

/** What every verb that writes needs. */
export type Writing = { db: Db; events: EventLog; clock: Clock; ids: Ids }

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
  /** The part of the repository that the project is, where this worktree does not have it; `folder` is the worktree itself then. */
  lacks?: string | undefined
  /** The commit that its own changes begin after. */
  base: string
  /** What prepares new worktrees of the project; empty where nothing may. */
  setup: readonly string[]
}

/** What the thread asks of worktrees. */
export interface ThreadWorktrees {
  /** Names this machine's; undefined while it has none. */
  home(): Promise<string | undefined>
  /** Names the one that it belongs to. */
  homeOf(id: WorktreeId): Promise<string>
  /** Throws a sentence when it is gone, or on another machine. */
  open(id: WorktreeId): Promise<OpenWorktree>
}

/** What the thread asks of folders. */
export interface ThreadFolders {
  /** Where the checks of a task run, on this machine; throws when it has no such folder, or another machine has it. */
  ofTask(taskId: TaskId): Promise<string>
}

export type ThreadTask = {
  id: TaskId
  projectId: ProjectId
  handle: string
  title: string
  status: TaskStatus
  stage: Stage
  assigneeId: AgentId | null
  facts: { reportedAt: number | null; verifiedAt: number | null; acceptedAt: number | null }
}

/** What the thread asks of tasks, and writes down on them. */
export interface ThreadTasks {
  find(id: TaskId): Promise<ThreadTask | undefined>
  /** Throws when there is none, or it is not the caller's to see. */
  get(id: TaskId, by: Caller): Promise<ThreadTask>
  /** Every required check has passed, or there is none. */
  verify(id: TaskId, by: Caller): Promise<void>
  /** Its work is read again; blocked, it is reported work again. */
  retake(id: TaskId, by: Caller): Promise<void>
  /** Its work has changed since. */
  unverify(id: TaskId, by: Caller): Promise<void>
  accept(id: TaskId, by: Caller): Promise<void>
  /** Back to its agent. */
  giveBack(id: TaskId, by: Caller): Promise<void>
  block(id: TaskId, why: Blocked, by: Caller): Promise<void>
}

/** What the thread asks of runs. */
export interface ThreadRuns {
  /** The process in which a run happened is still there and may write. */
  isRunning(runId: RunId): Promise<boolean>
}

/** What the thread asks of agents that review. */
export interface Reviewers {
  /** Why this agent cannot review in this project. */
  whyNot(agentId: AgentId, projectId: ProjectId): Promise<'missing' | 'unassigned' | 'disabled' | undefined>
  /** As people call it; its id where it is gone. */
  nameOf(agentId: AgentId): Promise<string>
  /** Whose run it was. */
  agentOf(runId: RunId): Promise<AgentId | undefined>
  /** Whether it had a run on the task at that time or later. A run that reviews is none. */
  hasWorkedOn(agentId: AgentId, taskId: TaskId, since: number): Promise<boolean>
  /** In the transaction of its verdict: the run has done its work. */
  done(runId: RunId, summary: string, by: Caller): Promise<void>
}

/** Terminals of people and agents that work on a task. */
export interface ThreadTabs {
  /** To those that are open on it; one that takes nothing any more is passed over. */
  tell(taskId: TaskId, text: string, by: Caller): Promise<void>
}

/** What becomes of accepted work. */
export interface MergeQueue {
  enqueue(snapshot: Snapshot, by: Caller): Promise<void>
}
