import type { Caller } from '#contract/caller.ts'
import type { CrewRunSummary, RunStatus } from '#contract/crews.ts'
import type { HubError } from '#contract/errors.ts'
import type { AgentId, CrewId, ProjectId, SessionId, TaskId } from '#contract/id-types.ts'
import type { RunEnd } from '#contract/run-end.ts'
import type { RunSeen } from '#contract/runner.ts'

/** An agent and where it may be started. `workspace`: in that of its task, which is made on the hub's machine. */
/** What the file of the project says besides; where it is silent, only the user's own limits count. */
export type Narrowed = (projectId: ProjectId) => Promise<{ runs?: number; startsPerMinute?: number }>

export type Pair = { agentId: AgentId; projectId: ProjectId; directory: string; workspace: boolean }

/** What a start would be for: any work in the project's folder, or one task in its workspace; or why there is none. */
export type StartFor =
  | { taskId: TaskId | null }
  | 'no_work'
  | 'workspace_busy'
  | 'workspace_elsewhere'
  | 'base_behind'
  | 'trust_required'

/** What identity asks of the projects. */
export interface Projects {
  find(
    projectId: ProjectId,
  ): Promise<{ id: ProjectId; name: string; active: boolean; directory: string | null } | undefined>
  isAssigned(projectId: ProjectId, agentId: AgentId): Promise<boolean>
  /** What the agent should be started for. */
  startFor(projectId: ProjectId, agentId: AgentId): Promise<StartFor>
  /** All pairs of which that is so, in active projects with a folder. */
  listWithWork(): Promise<Pair[]>
}

/** Called, inside the same transaction, when an instance ends. */
export interface Instances {
  /** It signed out. What it has not reported by then, it will not report. */
  left(session: Start & { id: SessionId }, by: Caller): Promise<void>
  /** It fell silent or ended without a report. */
  lost(
    instance: Start & { sessionId: SessionId | null; exhausted: boolean; end: RunEnd; exitCode: number | undefined },
    by: Caller,
  ): Promise<void>
}

/** One engine process, by the claim it was started for. */
export type Start = { agentId: AgentId; projectId: ProjectId; epoch: number }

/** What becomes of each start, for people: called in the same transaction. */
export interface StartedRuns {
  /** A Runner may start it, for this task, or else for the agent's most pressing one. */
  begun(start: Start & { engine: string; runner: string; taskId: TaskId | null }, by: Caller): Promise<void>
  /** Its agent signed in as this instance instead. */
  renamed(start: Start, epoch: number): Promise<void>
  logged(start: Start, logPath: string): Promise<void>
  progressed(start: Start, seen: RunSeen, by: Caller): Promise<void>
  /** Its process is gone. Answers what its agent reported, if it did. */
  ended(
    start: Start,
    known: { end: RunEnd; exitCode: number | null; logPath: string | null; seen: RunSeen | null },
    by: Caller,
  ): Promise<'success' | 'failed' | 'blocked' | undefined>
  /** A person ended its work: the process goes at once, not after the time in which it may end on its own. */
  wasStopped(start: Start): Promise<boolean>
  /** Its end will not be reported any more. */
  forgotten(start: Start, end: RunEnd, by: Caller): Promise<void>
}

/** Whether an engine can be used at all. */
export interface EnginePauses {
  isPaused(engine: string): Promise<boolean>
  /** Those that are. */
  listPaused(): Promise<string[]>
  /** Its account is used up until then, as far as it is known. */
  pause(engine: string, resetsAt: number | undefined, reason: string, by: Caller): Promise<unknown>
  /** It does work again. */
  passed(engine: string): Promise<void>
}

/** Whether a person has looked at a folder's agent configuration. */
export interface Trust {
  /** This Runner refused to start in the project's folder, or in the workspace of this task, and would again. */
  isRefused(projectId: ProjectId, taskId: TaskId | null, runner: string): Promise<boolean>
  /** Looks again at workspaces of the project in which this Runner refused to start. Not for use inside a transaction. */
  lookAgain(projectId: ProjectId, by: Caller): Promise<void>
  /** As the hub sees a folder of its own machine. */
  refusal(directory: string): Promise<HubError | undefined>
}

export interface Memberships {
  projectsOf(agentId: AgentId): Promise<ProjectId[]>
}

type CrewAgentFilter = { crewId?: CrewId | undefined; status?: RunStatus | undefined }

/** The agents that were started in crews, newest first: those that this caller may see. */
export interface CrewAgents {
  listSummaries(
    filter: CrewAgentFilter,
    before: string | undefined,
    limit: number,
    by: Caller,
  ): Promise<CrewRunSummary[]>
  count(filter: CrewAgentFilter, by: Caller): Promise<number>
}

/** How much work agents have. */
export interface Workloads {
  loads(
    agentIds: readonly AgentId[],
    by: Caller,
  ): Promise<(agentId: AgentId) => { openTasks: number; workingOn: string[] }>
}
