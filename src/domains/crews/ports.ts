import type { Caller } from '#contract/caller.ts'
import type { CrewRunState } from '#contract/crews.ts'
import type { HubError } from '#contract/errors.ts'
import type { Permission } from '#contract/permission.ts'
import type { Member } from './model.ts'

export type FreshRun = {
  id: string
  crewId: string
  plan: number
  stage: number | null
  position: number
  projectId: string | null
  role: string
  engine: string
  model: string
  prompt: string
  instructions: string
  permission: Permission
  directory: string
  depth: number
  timeoutMs: number | null
  startedBy: string
  due: boolean
}

/** What crews ask of the runs. */
export interface Runs {
  newId(): string
  /** Written down with their events; those that are due are launched after the commit. */
  create(runs: readonly FreshRun[], by: Caller): Promise<void>
  makeDue(ids: readonly string[]): Promise<void>
  cancelQueued(ids: readonly string[], reason: string, by: Caller): Promise<void>
  /** None of these was launched: they end as failed. */
  failQueued(ids: readonly string[], problem: string, by: Caller): Promise<void>
  members(crewId: string, plan: number): Promise<Member[]>
  ids(crewId: string): Promise<string[]>
  states(ids: readonly string[]): Promise<CrewRunState[]>
  countOpen(crewId: string): Promise<number>
  /** One that was never launched ends at once; the process of another is asked to end. */
  stop(id: string, by: Caller): Promise<void>
}

/** What these callers, which are one, were started with; undefined: a person, who may do anything. */
export type StartedWith = (...callers: Caller[]) => Promise<Permission | undefined>

/** Where runs may work. */
export interface Places {
  /** Folders, without links, that the caller stays in; undefined: anywhere. */
  rootsOf(by: Caller): Promise<readonly string[] | undefined>
  /** The project whose folder this one is or lies in; the nearest when there are several. */
  projectAt(directory: string): Promise<string | null>
}

/** Asked before an engine starts in a folder. */
export interface Trust {
  /** Why nothing may start there: it brings agent configuration that nobody has trusted. */
  refusal(directory: string): Promise<HubError | undefined>
}

export type EngineHealth = { ok: true; program: string; version: string | undefined } | { ok: false; problem: string }

/** The engines of this machine and configuration. */
export interface EngineBook {
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
