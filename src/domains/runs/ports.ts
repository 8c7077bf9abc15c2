import type { Caller } from '#contract/caller.ts'
import type { HubError } from '#contract/errors.ts'
import type { AgentId, EvidenceId, ProjectId, RunId, SessionId, TaskId } from '#contract/id-types.ts'
import type { Permission } from '#contract/permission.ts'
import type { EndKind, RunEnd } from '#contract/run-end.ts'
import type { Ending } from '#kernel/processes/supervise.ts'
import type { RunFacts } from './model.ts'

/** A signed-in agent, as far as a run cares. */
export type RunSession = { id: SessionId; agentId: AgentId; projectId: ProjectId; epoch: number }

export interface Sessions {
  /** Throws when the token is not that of a live session, or not this caller's; renews it otherwise. */
  session(token: string, by: Caller): Promise<RunSession>
}

export interface Tasks {
  find(taskId: TaskId): Promise<{ id: TaskId; projectId: ProjectId; assigneeId: AgentId | null } | undefined>
}

/** What a check wrote. */
export interface CheckLogs {
  /** Throws when there is no such check. */
  logOf(id: EvidenceId): Promise<{ file: string; isOver: () => Promise<boolean> }>
}

/** What runs of tasks ask of the thread. */
export interface Thread {
  /** In the transaction of an end without a report, of a run whose agent had got its task. */
  ended(task: { id: TaskId; projectId: ProjectId }, runId: RunId): Promise<void>
}

/** What these callers, which are one, were started with; undefined: a person, who may do anything. */
/** What the file of the project says besides; where it is silent, only the user's own limits count. */
export type Narrowed = (projectId: ProjectId | null) => Promise<{ runs?: number; depth?: number; file: string }>

export type StartedWith = (...callers: Caller[]) => Promise<Permission | undefined>

/** Where runs of crews may work. */
export interface Places {
  /** Folders, without links, that the caller stays in; undefined: anywhere. */
  rootsOf(by: Caller): Promise<readonly string[] | undefined>
  /** The project whose folder this one is or lies in; the nearest when there are several. */
  projectAt(directory: string): Promise<ProjectId | null>
}

/** What crews ask of the workspaces of tasks. */
export interface TaskWorkspaces {
  /** Throws WORKSPACE_BUSY while an agent or a person works there. */
  mustBeFree(taskId: TaskId): Promise<void>
  /** Slow; not for use inside a transaction. */
  ensure(taskId: TaskId, by: Caller): Promise<{ projectId: ProjectId; folder: string }>
}

/** Asked before an engine starts in a folder. */
export interface Trust {
  /** Why nothing may start there: it brings agent configuration that no person has trusted. */
  refusal(directory: string): Promise<HubError | undefined>
  /** Throws that refusal. */
  check(directory: string): Promise<void>
}

export type EngineHealth = { ok: true; program: string; version: string | undefined } | { ok: false; problem: string }

/** The engines of this machine and configuration. */
export interface CrewEngines {
  /** In the order in which they are preferred where a role names none. */
  ids(): string[]
  /** Runs its program once. */
  check(engine: string): Promise<EngineHealth>
  modelProblem(engine: string, model: string): string | undefined
  /** Runs its program once; undefined when it cannot be asked for the models that it runs. */
  models(engine: string): Promise<string[] | undefined>
  /** Whether no problem means that the engine runs the model. */
  knowsModels(engine: string): boolean
  /** Its account has nothing left until then. */
  paused(engine: string): Promise<{ until: number; reason: string } | undefined>
}

/** An engine that is ready to be launched for one run. */
export type Prepared = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  /** Reads its output; true when there is something new in `facts`. */
  push(bytes: Uint8Array, from: 'stdout' | 'stderr'): boolean
  /** Calls `giveUp` when it has been in trouble for so long without getting anywhere. */
  bearWith(ms: number, giveUp: () => void): void
  /** Where what is not believed is written down. */
  remarkTo(to: (line: string) => void): void
  end(): void
  readonly facts: RunFacts
  /** Judged by its output, not by its exit code alone. */
  judge(exit: { code: number | undefined; signal: NodeJS.Signals | undefined }): {
    outcome: 'success' | 'error' | 'interrupted'
    reason: string
    message?: string | undefined
  }
  /** Why it ended, for people. */
  why(by: EndedBy, limits: Record<'total' | 'silence', { minutes: number; setting: string }>): RunEnd
}

export type EndedBy = Pick<Ending, 'cause' | 'code' | 'signal'> & {
  /** It was ended from outside, for this reason. */
  stopped?: EndKind | undefined
  /** It was in trouble for too long. */
  gaveUp?: boolean
}

export interface RunEngines {
  /** Throws a sentence for people when the engine cannot be started. */
  prepare(request: {
    engine: string
    model: string
    permission: string
    prompt: string
    directory: string
    /** A private folder of this run. */
    folder: string
    ticketFile: string
  }): Promise<Prepared>
}
