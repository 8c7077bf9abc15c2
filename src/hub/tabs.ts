// Puts tabs together: what they need of this machine, and the one keeper of this hub's terminals.
import { join } from 'node:path'
import type { TabPermission } from '#contract/permission.ts'
import { Keeper, type Step } from '#domains/tabs/keeper.ts'
import type { TabScreens, Repositories, TabEngines, Worktrees } from '#domains/tabs/ports.ts'
import { repositories } from '#domains/tabs/repositories.ts'
import type { Config } from '#contract/config.ts'
import type { EventLog } from '#kernel/events.ts'
import type { Git } from '#kernel/git/git.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import type { Terminals } from '#kernel/terminals/terminals.ts'
import { taskWorkspaces } from './services/task-workspaces.ts'
import { HUB } from './own-caller.ts'
import type { Services } from './services.ts'
import { terminalEngines } from './terminal-engines.ts'

export type TabOptions = {
  /** Names this hub on this machine, the same after every start. */
  hub: string
  home: string
  /** How a bridge names the database. */
  db: string
  env: NodeJS.ProcessEnv
  /** The program that engines start as their MCP server. */
  bridge: string
  /** For tests. */
  reached?: ((step: Step) => void) | undefined
}

type Parts = TabOptions & {
  events: EventLog
  clock: HubTime
  ids: Ids
  log: Log
  config: () => Config
  terminals: Terminals
  git: Git
  worktrees: Worktrees
}

export type TabParts = {
  hub: string
  screens: TabScreens
  engines: TabEngines
  repositories: Repositories
  permission: () => TabPermission
  /** The services are those over the database itself. */
  keeper(services: Pick<Services, 'tabs' | 'messages' | 'trusts' | 'tasks' | 'workspaces' | 'bases'>): Keeper
}

export function tabParts(parts: Parts): TabParts {
  const { hub, home, db, bridge, env, events, clock, ids, log, config, terminals, git, worktrees, reached } = parts
  let keeper: Keeper | undefined
  const engines = terminalEngines({ config, source: env, db, home, bridge })
  return {
    hub,
    // Known once the services are there, which need it themselves.
    screens: {
      sight: async tab => keeper?.sight(tab),
      screen: async tab => keeper?.screen(tab),
      lastScreen: async tab => keeper?.lastScreen(tab),
    },
    engines,
    repositories: repositories(git),
    permission: () => config().tabs.permission,
    keeper(services) {
      const { tabs, messages, trusts: trust } = services
      const folder = join(home, 'tabs')
      const workspaces = taskWorkspaces(() => services)
      const parts = { tabs, messages, trust, worktrees, workspaces, engines, terminals }
      keeper = new Keeper({ ...parts, events, clock, ids, log, hub, folder, by: HUB, reached })
      return keeper
    },
  }
}
