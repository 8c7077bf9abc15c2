import type { Caller } from '#contract/caller.ts'
import type { FittingDecision } from '#contract/memory.ts'
import type { ReportResult } from '#contract/projects.ts'

export type WorkSession = { id: string; agentId: string; projectId: string; epoch: number }

/** What the projects ask of identity. */
export interface Sessions {
  /** Throws when the token is not that of a live session, or not this caller's; renews it otherwise. */
  session(token: string, by: Caller): Promise<WorkSession>
  /** The report this token already ended its session with. */
  reportOf(token: string): Promise<string | undefined>
  /** The agent that acts on this connection; undefined: none of those that signed in on it. */
  onConnection(connectionSecret: string): Promise<Caller | undefined>
  /** Signs the agent out because its work is reported. */
  complete(session: WorkSession, report: string, by: Caller): Promise<void>
}

export interface Agents {
  /** Throws when there is none. */
  get(agentId: string): Promise<{ id: string }>
  isEnabled(agentId: string): Promise<boolean>
}

/** What the projects ask of memory. */
export interface Decisions {
  /** What was decided that somebody who begins this task should know. */
  fitting(projectNumber: number, task: { title: string; description: string }): Promise<FittingDecision[]>
}

/** What the projects ask of the runs. */
export interface Runs {
  open(session: WorkSession, taskId: string, by: Caller): Promise<void>
  /** Ends what this session opened; answers the task it was for. */
  close(session: WorkSession, result: ReportResult, summary: string | null, by: Caller): Promise<string | undefined>
}
