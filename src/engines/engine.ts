// What Toryo must know about an agent program: how it is found, started, read and resumed, and what contract/known-engines.ts
// asks besides. One file per engine fills this in; no other file has a flag, a path or an event name of any of them.
import type { GuideNotes, KnownEngine } from '#contract/known-engines.ts'
import type { Reader, ReaderOptions } from './reader.ts'
import type { ScreenRules } from './screen.ts'

/** An MCP server that the program shall start for itself. */
export type McpEntry = {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
}

/** `read`: look, change nothing. `edit`: change files and run commands for the work at hand. `full`: ask for nothing. */
export type Permission = 'read' | 'edit' | 'full'

export type EngineRequest = {
  /** A private folder (0700) of this one run or tab; configuration for the program is written here. */
  folder: string
  /** Where the program will work. */
  directory: string
  /** What the environment is picked from. */
  source: NodeJS.ProcessEnv
  /** Absent, in a terminal only: the program asks the person as the person has set it up. Our own server needs no asking. */
  permission?: Permission | undefined
  /** Absent: the program's own choice. */
  model?: string | undefined
  /** The session to go on with, from `Facts.session`. */
  session?: string | undefined
  mcp?: McpEntry | undefined
}

/** No person can be asked, so the permission must be known. */
export type HeadlessRequest = EngineRequest & { prompt: string; permission: Permission }

/** Ready for the launcher, but for the folder to work in and the program's path. Holds no secret in `args`. */
export type Invocation = {
  args: string[]
  /** All of it. */
  env: Record<string, string>
  /** What the program reads; for a terminal there is none. */
  stdin?: string
  /** Another program than `Engine.programs`; a name or a path. */
  program?: string
  /** How it will know the conversation, where that can be chosen beforehand. */
  session?: string
}

/** Also one that a person described in the configuration, of which less is known. */
export interface Engine
  extends Pick<KnownEngine, 'id' | 'label' | 'programs' | 'version' | 'capabilities' | 'projectConfig'> {
  /** Why this model cannot be right; undefined when it may be. Costs nothing: the program itself is not asked. */
  modelProblem(model: string): string | undefined
  /** `modelProblem` knows every model that it runs; otherwise a name without a problem may still be wrong. */
  readonly knowsModels?: boolean
  /** How it is asked for the models that it runs, which it prints one to a line; absent: it cannot be asked. */
  models?(source: NodeJS.ProcessEnv): Promise<Pick<Invocation, 'args' | 'env'>>
  /** Absent: it has no such mode. */
  headless?(request: HeadlessRequest): Promise<Invocation>
  terminal?(request: EngineRequest): Promise<Invocation>
  /** How its screen in a terminal is read; absent: only what holds for any program is known. */
  readonly screen?: ScreenRules
  /** How a line of its output begins; by it, output of a program that is not known is recognised and read as this one's. */
  readonly outputBegins?: RegExp
  reader(options?: ReaderOptions): Reader
}

/** One that ships with Toryo: all of it in `src/engines/<id>.ts`, exported under its id. */
export type BuiltInEngine = Engine & KnownEngine & { readonly guide?: GuideNotes }

/** The name under which every program knows our MCP server. */
export const MCP_NAME = 'toryo'

/** The request cannot be carried out; the sentence says what the person can do. */
export class EngineError extends Error {}
