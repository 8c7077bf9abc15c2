// What is known of an agent program without running any of our code for it: plain data. Each engine says it in its own file,
// src/engines/<engine>.ts; `npm run gen` gathers it in known-engines.gen.ts, so that the bridge and the CLI load no engine.
import type { Text } from './errors.ts'

export type KnownEngine = {
  readonly id: string
  /** As people call it. */
  readonly label: string
  /** Lists are in this order, and the lowest that is installed is taken where nothing names an engine. Each has its own. */
  readonly rank: number
  /** Names or absolute paths, the best first. */
  readonly programs: readonly string[]
  /** Program and arguments; absent: it cannot be asked. */
  readonly version?: readonly string[]
  readonly capabilities: Capabilities
  readonly install: Install
  readonly signIn: SignIn
  /**
   * Paths in a directory from which it takes hooks, servers to start, variables, plugins or permissions. A path after `!` is
   * left out of the one that holds it.
   */
  readonly projectConfig: readonly string[]
  /** Absent: it has no file of the user's in which an MCP server can be entered. */
  readonly registration?: Registration
}

export type Capabilities = {
  readonly mcp: boolean
  readonly resume: boolean
  /** Its output says how the run ended; its exit code then decides nothing. */
  readonly tellsEnd: boolean
  readonly tellsCost: boolean
}

/** An npm package, or a line for a shell. */
export type Install = { readonly npm: string } | { readonly shell: string }

/** How a person signs it in to its model: a line for a shell and what to type then, or a variable that holds a key. */
export type SignIn = { readonly shell: string; readonly type?: string; readonly variable: string }

/** The user's own file in which the registered server is entered. */
export type Registration = {
  /** The folder is what this variable names, where that is absolute. */
  readonly variable?: string
  /** Otherwise it is this one in the user's home; '' is the home itself. */
  readonly folder: string
  /** In the folder. All that exist get the entry. */
  readonly files: readonly string[]
  readonly format: 'json' | 'toml'
  /** The object or table that holds the servers. */
  readonly holder: string
  /** `{runtime}` and `{bridge}` stand for the two absolute paths. */
  readonly entry: EntryTemplate
  /** A missing file is made if one of the programs is installed. */
  readonly makesFile: boolean
  /** The engine makes a folder, named as the file and this, while it writes the file; by the rule of proper-lockfile. */
  readonly lockSuffix?: string
  /** What happens to this entry when Toryo starts the engine, which then has a server of its own for us. */
  readonly whenStarted: 'off' | 'left-out' | 'idle'
}

/** What only the guide says; no program has it. */
export type GuideNotes = {
  /** Whether it asks the person about a new worktree; absent: not tried. */
  readonly asksAboutFolder?: Text
  /** The engine's own command that enters `toryo mcp`; absent: the guide shows the file. */
  readonly addLine?: string
  /** What happens to the user's own servers when Toryo starts it, where there is more to say than that they stay. */
  readonly ownServers?: Text
}

export type EntryTemplate = { readonly [name: string]: string | boolean | readonly string[] | EntryTemplate }

export function installLine({ install }: Pick<KnownEngine, 'install'>): string {
  return 'npm' in install ? `npm install -g ${install.npm}` : install.shell
}
