// The environment variables that our programs read and pass on to each other. Owns their names; knows no meaning of a value.

/** The folder of all our files, where it is not the usual one. */
export const TORYO_HOME = 'TORYO_HOME'

/** The database, where `--db` is not given. */
export const TORYO_DB = 'TORYO_DB'

/** Marks a started program and all that comes from it. */
export const TORYO_MARK = 'TORYO_MARK'

/** Marks of the programs that started a hub in the background and let it go: they say nothing about that hub's callers. */
export const TORYO_STARTED_BELOW = 'TORYO_STARTED_BELOW'

/** The secret that a started program's bridge shows to the hub: itself, or the file that holds it. */
export const TORYO_TICKET = 'TORYO_TICKET'
export const TORYO_TICKET_FILE = 'TORYO_TICKET_FILE'

/** Which run, instance or tab a program was started for. */
export const TORYO_RUN_ID = 'TORYO_RUN_ID'
export const TORYO_TAB_ID = 'TORYO_TAB_ID'

/** Of a program that works on a task in its workspace: the task's handle, branch and base, and the ports that are its own. */
export const TORYO_TASK = 'TORYO_TASK'
export const TORYO_BRANCH = 'TORYO_BRANCH'
export const TORYO_BASE = 'TORYO_BASE'
export const TORYO_PORT = 'TORYO_PORT'
export const TORYO_PORT_TO = 'TORYO_PORT_TO'

/** Of a setup command or a check: the folder that it works in, and the project's own folder. */
export const TORYO_WORKTREE = 'TORYO_WORKTREE'
export const TORYO_PROJECT_DIR = 'TORYO_PROJECT_DIR'

/** The model that a program of the configuration is to use. */
export const TORYO_MODEL = 'TORYO_MODEL'

/** The key that leaves a terminal, where `--detach-key` is not given. */
export const TORYO_DETACH_KEY = 'TORYO_DETACH_KEY'

/** How much is logged: 0 errors, 1 warnings, 2 information, 3 everything. */
export const LOG_LEVEL = 'LOG_LEVEL'

/** The file that names our MCP server to a program that has no option for it. */
export const TORYO_MCP_CONFIG = 'TORYO_MCP_CONFIG'

/** How fast the scripted agents of a demo work (1; 0: without pauses), and how long its question waits for an answer. */
export const TORYO_DEMO_PACE = 'TORYO_DEMO_PACE'
export const TORYO_DEMO_PATIENCE_MS = 'TORYO_DEMO_PATIENCE_MS'

/** What is meant for one started program and its bridge: a hub that such a program starts must not inherit it. */
export const OF_ONE_START = [
  TORYO_TICKET,
  TORYO_TICKET_FILE,
  TORYO_RUN_ID,
  TORYO_TAB_ID,
  TORYO_TASK,
  TORYO_BRANCH,
  TORYO_BASE,
  TORYO_PORT,
  TORYO_PORT_TO,
  TORYO_MCP_CONFIG,
  TORYO_MARK,
] as const
