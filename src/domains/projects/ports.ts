import type { Caller } from '#contract/caller.ts'
import type { Lang } from '#contract/errors.ts'
import type { AgentId, CommentId, ProjectId, RunId, SessionId, TaskId } from '#contract/id-types.ts'
import type { FittingDecision, TaskDecision } from '#contract/memory.ts'
import type { ReportResult } from '#contract/projects.ts'
import type { OverlapView, Returned } from '#contract/thread.ts'
import type { Task } from './model.ts'

export type WorkSession = { id: SessionId; agentId: AgentId; projectId: ProjectId; epoch: number }

/** What the projects ask of identity. */
export interface Sessions {
  /** Throws when the token is not that of a live session, or not this caller's; renews it otherwise. */
  session(token: string, by: Caller): Promise<WorkSession>
  /** The same without renewing or refusing anything. */
  find(token: string): Promise<WorkSession | undefined>
  /** The report this token already ended its session with. */
  reportOf(token: string): Promise<string | undefined>
  /** The agent that acts on this connection; undefined: none of those that signed in on it. */
  onConnection(connectionSecret: string): Promise<Caller | undefined>
  /** Signs the agent out because its work is reported. */
  complete(session: WorkSession, report: string, by: Caller): Promise<void>
}

export interface Agents {
  /** Throws when there is none. */
  get(agentId: AgentId): Promise<{ id: AgentId; name: string }>
  /** Those of them that may work. */
  enabledAmong(agentIds: readonly AgentId[]): Promise<Set<AgentId>>
}

/** What the projects ask of those who start agents. */
export interface Runners {
  /** The projects whose folders this caller has, each with the agents whose engines it has; all for one that does not say. */
  offered<P extends { project_id: ProjectId; working_directory: string | null; agents: AgentId[] }>(
    projects: readonly P[],
    caller: Caller,
  ): Promise<P[]>
}

/** What the projects ask of git. Throws where a repository is there and cannot be read. */
export interface Repositories {
  isRepository(directory: string): Promise<boolean>
  hasBranch(directory: string, branch: string): Promise<boolean>
}

/** What the projects ask of memory. */
export interface Decisions {
  /** What was decided that the agent which begins this task should know. */
  fitting(projectNumber: number, task: { id: TaskId; title: string; description: string }): Promise<FittingDecision[]>
  /** Those that name it, and those that its reports cite. */
  ofTask(taskId: TaskId): Promise<TaskDecision[]>
  /** Its report followed these. Answers those that there are. */
  cite(taskId: TaskId, projectNumber: number, ids: readonly number[]): Promise<number[]>
}

/** What an agent learns about the review and merge of its task. */
export type Briefing = {
  workspace?: { path: string; branch: string; base: string | null } | undefined
  /** Why it came back. */
  returned?: Returned | undefined
  /** Who else changes the same lines. */
  overlaps: OverlapView[]
}

/** What the projects ask of the thread from a task to a merged change. */
export interface Thread {
  /** In the transaction of the report, after the task has moved. */
  reported(
    task: { id: TaskId; projectId: ProjectId },
    report: { runId: RunId; result: ReportResult; summary: string | null; answers: readonly Answer[]; cites: string[] },
    by: Caller,
  ): Promise<void>
  /** It had moved the task itself before: what it says comes to what it left then. */
  described(
    task: { id: TaskId; projectId: ProjectId },
    report: { runId: RunId; summary: string | null; answers: readonly Answer[]; cites: string[] },
    by: Caller,
  ): Promise<void>
  /** Only reads the database. */
  briefing(taskId: TaskId, lang: Lang): Promise<Briefing>
  /** The folder of the task's workspace, made where there is none yet. Slow; not for use inside a transaction. */
  folderOf(task: Task, by: Caller): Promise<string>
  /** Throws WORKSPACE_BUSY while another one than this agent, on this connection, works there. */
  mustBeFree(task: Task, agentId: AgentId, opener: Caller | undefined): Promise<void>
}

/** What the projects ask of the workspaces. */
export interface Trees {
  /** What the files of the task's workspace are now, as git names it; null where it has none here, or it cannot be read. Slow. */
  treeOf(taskId: TaskId): Promise<string | null>
}

/** What the projects ask of those who were started. */
export interface Starts {
  /** The task in whose workspace this session's process was started; null: in the project's folder; undefined: it was not started. */
  boundTo(session: Omit<WorkSession, 'id'>): Promise<TaskId | null | undefined>
}

/** What the projects ask of the runs. */
export interface Runs {
  open(session: WorkSession, taskId: TaskId, by: Caller): Promise<void>
  /** What this session has taken and not reported. */
  inHand(session: WorkSession): Promise<TaskId | undefined>
  /** Ends what this session opened; answers the task it was for, and the run. */
  close(
    session: WorkSession,
    result: ReportResult,
    summary: string | null,
    by: Caller,
  ): Promise<{ taskId: TaskId; runId: RunId } | undefined>
}

/** What an agent says to a reviewer's comment. */
export type Answer = { commentId: CommentId; answer: string }
