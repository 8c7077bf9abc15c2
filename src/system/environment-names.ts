// The environment variables that our programs read and pass on to each other. Owns their names; knows no meaning of a value.

/** The folder of all our files, where it is not the usual one. */
export const TORYO_HOME = 'TORYO_HOME'

/** The database, where `--db` is not given. */
export const TORYO_DB = 'TORYO_DB'

/** Marks a started program and all that comes from it. */
export const TORYO_MARK = 'TORYO_MARK'

/** Marks of the programs that started a hub in the background and let it go: they say nothing of whom that hub serves. */
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

/** The file that names our MCP server to a program that has no option for it. */
export const TORYO_MCP_CONFIG = 'TORYO_MCP_CONFIG'

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
