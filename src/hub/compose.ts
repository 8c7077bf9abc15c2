// Puts the hub together over an open database. Starts nothing that listens; lifecycle.ts does.
import type { Lang } from '#contract/errors.ts'
import type { AgentId, ProjectId, RunId } from '#contract/id-types.ts'
import type { SourceSettings } from '#domains/phases/ports.ts'
import type { RunTimes, Step } from '#domains/runs/live-run.ts'
import type { RunProcesses } from '#domains/runs/processes.ts'
import { followLog } from '#domains/runs/read-log.ts'
import { Roles } from '#domains/runs/roles.ts'
import type { Patience } from '#domains/runs/waiting.ts'
import type { Keeper } from '#domains/tabs/keeper.ts'
import type { ThreadKeeper } from '#domains/thread/keeper.ts'
import type { Watching } from '#domains/tabs/worktrees/watching.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { McpEntry } from '#engines/engine.ts'
import type { Config } from '#contract/config.ts'
import type { Database, Db } from '#kernel/db/db.ts'
import type { StoredTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { Registry } from '#kernel/registry.ts'
import type { Terminals } from '#kernel/terminals/terminals.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { Hub } from '#transports/hub.ts'
import { invokerOf } from './invoker.ts'
import type { Facts } from './api.ts'
import { givenToolsets } from './given-toolsets.ts'
import { identitiesOf } from './identities.ts'
import { makeParts, type Parts } from './parts.ts'
import { HUB } from './own-caller.ts'
import { prompts, resources } from './resources.ts'
import { runProcesses } from './run-processes.ts'
import { type Bind, type Kernel, type Services, services } from './services.ts'
import type { SettingsDeps } from './settings/api.ts'
import type { TabOptions } from './tabs.ts'
import { threadKeeper, type ThreadOptions } from './thread-keeper.ts'
import { toolSchemas } from './tool-schemas.gen.ts'
import { tools } from './tools.gen.ts'
import { type Upkeep, upkeepOf } from './upkeep.ts'
import { type Waiting, waitingStarts } from './waiting-starts.ts'

export type ComposeOptions = {
  database: Database
  clock: StoredTime
  ids: Ids
  log: Log
  lang: Lang
  version: string
  /** The operator's. */
  token: string
  /** Of the Runner that the hub brings along; it dies with the hub. */
  runnerToken: string
  /** That Runner's name. */
  runnerName: string
  /** Names the database in files of others. */
  key: string
  config: () => Config
  /** Where worktrees are, and the folder for what git needs meanwhile, which is this hub's alone. */
  places: { worktrees: string; git: string }
  /** What programs that the hub starts may see some of. */
  env: NodeJS.ProcessEnv
  promptSource: () => SourceSettings
  facts: () => Facts
  runs: RunOptions
  terminals: Terminals
  tabs: TabOptions
  thread: ThreadOptions
  stop: (keepTerminals: boolean) => void
  unregister?: () => Promise<readonly Outcome[]>
  /** What the engines' config files have of this Toryo. Changes nothing. */
  registrations?: () => Promise<readonly Outcome[]>
  /** What the page may change of this machine's files. */
  settings?: Omit<SettingsDeps, 'announce'> & { removals: () => readonly Outcome[] }
  /** A demo beside this hub; answers a link to it. */
  startDemo: (lang: Lang) => Promise<string>
}

/** What runs need of the machine. */
export type RunOptions = {
  /** Names this hub's folder on this machine. */
  place: string
  /** What engines get of the environment is picked from this. */
  env: NodeJS.ProcessEnv
  folder: string
  logFolder: string
  /** Where the Runner of this machine writes what an agent's instance says. */
  instanceLog: (instance: { agentId: AgentId; projectId: ProjectId; epoch: number }) => string
  /** How a run reaches this hub. */
  mcp: (ticketFile: string) => McpEntry
  times?: Partial<RunTimes> | undefined
  patience?: Patience | undefined
  reached?: ((step: Step, runId: RunId) => void) | undefined
}

export type Composed = Hub<Services> &
  Upkeep & {
    readonly terminals: Terminals
    /** Starts, watches and ends what runs in terminals. */
    readonly keeper: Keeper
    readonly worktrees: Worktrees
    readonly watching: Watching
    /** What signs a browser in to the dashboard, once. */
    loginToken(): Promise<string>
    /** Starts that no Runner that is there can take. */
    waiting(): Promise<Waiting[]>
    /** The processes of runs: what an earlier hub left is ended, what is due starts. */
    readonly processes: RunProcesses
    /** Moves reported work on. */
    readonly thread: ThreadKeeper
  }

export function compose(options: ComposeOptions): Composed {
  const { database, log, version, config, terminals } = options
  const lasting = (): Services => bind(database)
  const parts: Parts = makeParts(options, lasting)
  const bind = boundOnce(kernelOf(options, parts, { processes: () => processes, thread: () => thread }))
  const processes: RunProcesses = runProcesses(options, parts, bind)
  const thread: ThreadKeeper = threadKeeper(options, parts, bind)
  let operations: Promise<Registry<Services>> | undefined
  return {
    version,
    lang: options.lang,
    log,
    events: parts.events,
    registry: new Registry<Services>(tools, toolSchemas),
    operations: () => (operations ??= loadOperations(options, parts, lasting)),
    invoker: invokerOf(options, parts.events, bind),
    conversation: (tabId, sessionId) => lasting().tabs.nameConversation(tabId, sessionId),
    resources,
    prompts,
    identities: identitiesOf(options, parts, lasting()),
    toolsets: givenToolsets({ config, services: lasting() }),
    terminals,
    tabEnd: async id => {
      const tab = await lasting().tabs.find(id)
      if (!tab || tab.endedAt === null) return undefined
      return { code: tab.exitCode ?? undefined, signal: tab.exitSignal ?? undefined }
    },
    logs: {
      follow: async (id, start, by, signal) => followLog(await parts.logs.of(lasting(), id, by), start, signal),
    },
    watching: parts.watching,
    keeper: parts.tabs.keeper(lasting()),
    worktrees: parts.worktrees,
    loginToken: async () => (await lasting().pages.link(HUB)).token,
    waiting: () => waitingStarts(lasting()),
    processes,
    thread,
    ...upkeepOf(options, parts, { processes, thread }, bind),
  }
}

/** Not imported, but loaded with the first call: a hub that serves agents alone does without their schemas. */
async function loadOperations(options: ComposeOptions, parts: Parts, services: () => Services) {
  const { allOperations } = await import('./operations.ts')
  return new Registry(allOperations(options, parts, services))
}

/** What services are made of besides a database or a transaction. */
function kernelOf(
  options: ComposeOptions,
  parts: Parts,
  { processes, thread }: { processes: () => RunProcesses; thread: () => ThreadKeeper },
): Kernel {
  const { database, clock, ids, version, config, runs } = options
  const { events, remote, shelf, embedding, worktrees, descends, tabs, scout, engines } = parts
  return {
    ...{ events, clock, ids, version, remote, shelf, worktrees, descends, tabs, scout },
    making: new Map(),
    contained: new Set(),
    search: database.search,
    embedder: () => embedding.current,
    limits: () => config().limits,
    projectLimits: parts.projectLimits,
    place: runs.place,
    checkLogs: options.thread.logFolder,
    runner: options.runnerName,
    patience: runs.patience,
    roles: new Roles({ config, engines, clock }),
    processes: { wake: () => processes().wake(), facts: runId => processes().facts(runId) },
    threadKeeper: { wake: () => thread().wake() },
  }
}

/** Once for each transaction, however many ask. */
function boundOnce(kernel: Kernel): Bind {
  const bound = new WeakMap<Db, Services>()
  return db => {
    let found = bound.get(db)
    if (!found) bound.set(db, (found = services(db, kernel)))
    return found
  }
}
