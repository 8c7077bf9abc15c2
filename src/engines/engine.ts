// What Toryo must know about an agent program: how it is found, started, read and resumed. One file per engine fills this in;
// nobody else knows a flag, a variable or an event name of any of them.
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
  /** The session to go on with, as `Facts.session` told it. */
  session?: string | undefined
  mcp?: McpEntry | undefined
}

/** Nobody is there to be asked, so that the permission must be known. */
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

export type Capabilities = {
  mcp: boolean
  resume: boolean
  /** It tells in its output how the run ended; its exit code then decides nothing. */
  tellsEnd: boolean
  tellsCost: boolean
}

export interface Engine {
  readonly id: string
  readonly label: string
  /** Names or absolute paths, the best first. */
  readonly programs: readonly string[]
  /** Program and arguments; absent: it cannot be asked. */
  readonly version?: readonly string[]
  readonly capabilities: Capabilities
  /** Why this model cannot be right; undefined when it may be. Costs nothing: the program itself is not asked. */
  modelProblem(model: string): string | undefined
  /** `modelProblem` knows every model that it runs; otherwise a name without a problem may still be wrong. */
  readonly knowsModels?: boolean
  /** How it is asked for the models that it runs, which it prints one to a line; absent: it cannot be asked. */
  models?(source: NodeJS.ProcessEnv): Promise<Pick<Invocation, 'args' | 'env'>>
  /** Absent: it has no such mode. */
  headless?(request: HeadlessRequest): Promise<Invocation>
  terminal?(request: EngineRequest): Promise<Invocation>
  /**
   * Paths in a directory from which it takes hooks, servers to start, variables, plugins or permissions. A path after `!` is
   * left out of the one that holds it.
   */
  readonly projectConfig: readonly string[]
  /** How its screen in a terminal is read; absent: only what holds for any program can be told. */
  readonly screen?: ScreenRules
  reader(options?: ReaderOptions): Reader
}

/** The name under which every program knows our MCP server. */
export const MCP_NAME = 'toryo'

/** The request cannot be carried out; the sentence says what the person can do. */
export class EngineError extends Error {}
