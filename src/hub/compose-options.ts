// What the hub is composed of, by where its database is and how it was started.
import { basename, dirname, join } from 'node:path'
import { hubKey, instanceLog, type Target } from '#client/locate.ts'
import type { McpEntry } from '#engines/engine.ts'
import type { ConfigFile } from '#kernel/config.ts'
import { TORYO_HOME, TORYO_RUN_ID, TORYO_TICKET_FILE } from '#system/environment-names.ts'
import type { ComposeOptions, RunOptions } from './compose.ts'
import type { HubOptions } from './lifecycle.ts'
import { promptSource } from './prompt-source.ts'
import { ownRunnerName, placeOf } from './runner-name.ts'
import type { TabOptions } from './tabs.ts'

/** What is there only once the hub starts. */
type Live = Pick<
  ComposeOptions,
  | 'database'
  | 'clock'
  | 'ids'
  | 'token'
  | 'runnerToken'
  | 'terminals'
  | 'facts'
  | 'stop'
  | 'unregister'
  | 'registrations'
  | 'settings'
  | 'startDemo'
> & { config: ConfigFile }

export function composeOptions(options: HubOptions, { config, ...live }: Live): ComposeOptions {
  const { target, log, lang, version, env } = options
  return {
    ...live,
    log,
    lang,
    version,
    runnerName: ownRunnerName(target),
    key: hubKey(target),
    config: () => config.current,
    places: { worktrees: join(target.home, 'worktrees'), git: join(target.home, 'git', target.hash) },
    env: process.env,
    tabs: tabOptions(options),
    promptSource: () => promptSource(env, config.current.prompts),
    runs: runOptions(options),
    thread: { logFolder: join(target.logDirectory, 'checks'), ...options.thread },
  }
}

function tabOptions({ target, engineEnv: env, bridge, tabs }: HubOptions): TabOptions {
  return { hub: placeOf(target), home: target.home, db: target.shownDb, env, bridge, ...tabs }
}

function runOptions({ target, engineEnv: env, bridge, runs }: HubOptions): RunOptions {
  return {
    place: placeOf(target),
    env,
    folder: join(target.home, 'runs', target.hash.slice(0, 16)),
    logFolder: join(target.logDirectory, 'runs'),
    instanceLog: instance => instanceLog(target.home, hubKey(target), instance),
    mcp: ticketFile => mcpEntry(bridge, target, ticketFile),
    ...runs,
  }
}

/** The bridge shows the ticket, so that the hub knows which run it speaks for. */
function mcpEntry(bridge: string, target: Target, ticketFile: string): McpEntry {
  return {
    command: process.execPath,
    args: [bridge, '--db', target.shownDb],
    env: { [TORYO_HOME]: target.home, [TORYO_TICKET_FILE]: ticketFile, [TORYO_RUN_ID]: basename(dirname(ticketFile)) },
  }
}
