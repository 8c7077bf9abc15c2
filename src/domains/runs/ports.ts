import type { Caller } from '#contract/caller.ts'
import type { EndKind, RunEnd } from '#contract/run-end.ts'
import type { Ending } from '#kernel/processes/supervise.ts'
import type { CrewRun, RunFacts } from './model.ts'

/** A signed-in agent, as far as a run cares. */
export type RunSession = { id: string; agentId: string; projectId: string; epoch: number }

export interface Sessions {
  /** Throws when the token is not that of a live session, or not this caller's; renews it otherwise. */
  session(token: string, by: Caller): Promise<RunSession>
}

export interface Tasks {
  find(taskId: string): Promise<{ id: string; projectId: string; assigneeId: string | null } | undefined>
}

/** Told, in the transaction of the end, so that a plan moves on with it. */
export interface Crews {
  ended(run: CrewRun, by: Caller): Promise<void>
}

/** The processes of this hub. */
export interface Live {
  /** What this run has told by now, which may not be stored yet. */
  facts(runId: string): RunFacts | undefined
}

/** Asked before an engine starts in a folder. */
export interface Trust {
  /** Throws TRUST_REQUIRED where the folder brings agent configuration that nobody has trusted. */
  check(directory: string): Promise<void>
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
  end(): void
  readonly facts: RunFacts
  /** Judged by what it told, not by its exit code alone. */
  judge(exit: { code: number | undefined; signal: NodeJS.Signals | undefined }): {
    outcome: 'success' | 'error' | 'interrupted'
    reason: string
    message?: string | undefined
  }
  /** Why it ended, for people. */
  why(by: EndedBy, limits: Record<'total' | 'silence', { minutes: number; setting: string }>): RunEnd
}

export type EndedBy = Pick<Ending, 'cause' | 'code' | 'signal'> & {
  /** Somebody ended it for a reason of their own. */
  stopped?: EndKind | undefined
  /** It was in trouble for too long. */
  gaveUp?: boolean
}

export interface Engines {
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
