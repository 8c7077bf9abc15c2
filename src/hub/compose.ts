// Puts the hub together over an open database. Starts nothing that listens; lifecycle.ts does.
import type { Lang } from '#contract/errors.ts'
import { crewOperations } from '#domains/crews/api.ts'
import { Roles } from '#domains/crews/roles.ts'
import { agentOperations, completeAgent } from '#domains/identity/api.ts'
import { runnerOperations } from '#domains/identity/runner-api.ts'
import { tokenOperations } from '#domains/identity/token-api.ts'
import { scrubEvents } from '#domains/identity/scrub.ts'
import { memoryOperations } from '#domains/memory/api.ts'
import { phaseOperations } from '#domains/phases/api.ts'
import type { SourceSettings } from '#domains/phases/ports.ts'
import { RemotePrompts } from '#domains/phases/remote.ts'
import { Shelf } from '#domains/phases/shelf.ts'
import { completeTask, projectOperations, taskOperations } from '#domains/projects/api.ts'
import { latestHandoff } from '#domains/projects/latest-handoff.ts'
import { contextSummary, handoffTemplate, taskStart } from '#domains/projects/prompts.ts'
import { runOperations } from '#domains/runs/api.ts'
import type { RunTimes, Step } from '#domains/runs/live-run.ts'
import { RunProcesses } from '#domains/runs/processes.ts'
import type { Patience } from '#domains/runs/waiting.ts'
import { tabOperations } from '#domains/tabs/api.ts'
import type { Keeper } from '#domains/tabs/keeper.ts'
import { worktreeOperations } from '#domains/tabs/worktrees/api.ts'
import { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import { trustOperations } from '#domains/trust/api.ts'
import { IndexRebuild } from '#domains/memory/rebuild.ts'
import type { Database, Db, Tx } from '#kernel/db/db.ts'
import { EventLog } from '#kernel/events.ts'
import { Git } from '#kernel/git/git.ts'
import type { StoredTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import { Invoker } from '#kernel/invoke.ts'
import type { Config } from '#kernel/config.ts'
import type { Log } from '#kernel/log.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import { Quotas } from '#kernel/quotas.ts'
import { Registry } from '#kernel/registry.ts'
import type { Terminals } from '#kernel/terminals/terminals.ts'
import type { Tool } from '#kernel/tool.ts'
import { Scout } from '#engines/agent-config.ts'
import type { McpEntry } from '#engines/engine.ts'
import type { Outcome } from '#registration/outcome.ts'
import { sameSecret } from '#transports/guard.ts'
import type { Hub, Identities } from '#transports/hub.ts'
import { type Facts, hubOperations } from './api.ts'
import { Embedding } from './embedding.ts'
import { HubEngines } from './engines.ts'
import { givenToolsets } from './given-toolsets.ts'
import { merges } from './merges.ts'
import { prompts, resources } from './resources.ts'
import { HUB, type Kernel, type Services, services } from './services.ts'
import { startedProcesses } from './started-processes.ts'
import { type TabOptions, tabParts } from './tabs.ts'
import { Tending } from './tending.ts'
import { tools } from './tools.gen.ts'
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
  stop: (keepTerminals: boolean) => void
  unregister?: () => Promise<readonly Outcome[]>
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
  instanceLog: (instance: { agentId: string; projectId: string; epoch: number }) => string
  /** How a run reaches this hub. */
  mcp: (ticketFile: string) => McpEntry
  times?: Partial<RunTimes> | undefined
  patience?: Patience | undefined
  reached?: ((step: Step, runId: string) => void) | undefined
}

export type Composed = Hub<Services> & {
  readonly terminals: Terminals
  /** Starts, watches and ends what runs in terminals. */
  readonly keeper: Keeper
  readonly worktrees: Worktrees
  /** Keeps sessions of live connections alive and frees what fell silent. */
  tend(connectionSecrets: readonly string[]): Promise<void>
  /** Starts that no Runner that is there can take. */
  waiting(): Promise<Waiting[]>
  /** Brings memory's indexes up to date; `anew` after data came in by another way than its verbs. */
  index(anew?: boolean): Promise<void>
  /** Finishes or undoes what the last life of this hub began on folders. */
  recover(): Promise<void>
  /** The processes of runs: what an earlier hub left is ended, what is due starts. */
  readonly processes: RunProcesses
  /** In the transaction in which data come in by another way than the verbs. */
  imported(tx: Tx): Promise<void>
  dispose(): Promise<void>
}

export function compose(options: ComposeOptions): Composed {
  const { database, clock, ids, log, version, token, terminals } = options
  const events = new EventLog({ database, clock, log })
  const remote = new RemotePrompts({ settings: options.promptSource, clock, log })
  const shelf = new Shelf({ clock, ttlMs: () => remote.ttlMs })
  const embedding = new Embedding(database, () => options.config().memory.embeddings, log)
  const rebuild = new IndexRebuild({ database, events, by: HUB })
  const { search } = database
  const { config, runs } = options
  const git = new Git({ folder: options.places.git, env: options.env })
  const worktrees: Worktrees = new Worktrees({
    database,
    events,
    clock,
    ids,
    log,
    git,
    folder: options.places.worktrees,
    env: options.env,
    config,
    projects: { get: id => bind(database).projects.get(id) },
    tabs: { at: path => bind(database).tabs.at(path) },
    hub: HUB,
  })
  const tabs = tabParts({ ...options, ...options.tabs, events, git, worktrees })
  const engines = new HubEngines({ config, env: runs.env, mcp: runs.mcp, paused: engine => pauses.find(engine) })
  const peers = startedProcesses({ services: () => bind(database), env: options.env, log })
  const descends = async (peer: Peer, marker: string) => {
    const origin = await peers.originOf(peer)
    return origin.kind === 'started' && origin.record.marker === marker
  }
  const scout = new Scout({ config, git, env: runs.env })
  const kernel: Kernel = {
    ...{ events, clock, ids, version, remote, shelf, search },
    embedder: () => embedding.current,
    limits: () => config().limits,
    place: runs.place,
    runner: options.runnerName,
    patience: runs.patience,
    roles: new Roles({ config, engines, clock }),
    launching: { wake: () => processes.wake(), facts: runId => processes.facts(runId) },
    worktrees,
    descends,
    tabs,
    scout,
  }
  const bound = new WeakMap<Db, Services>()
  /** Once for each transaction, however many ask. */
  const bind = (db: Db): Services => {
    let found = bound.get(db)
    if (!found) bound.set(db, (found = services(db, kernel)))
    return found
  }
  const keeper = tabs.keeper(bind(database))
  const processes: RunProcesses = new RunProcesses({
    events,
    log,
    write: verb => database.tx(tx => verb(bind(tx).crewRuns)),
    runs: bind(database).crewRuns,
    engines,
    trust: bind(database).trusts,
    folder: runs.folder,
    logFolder: runs.logFolder,
    limits: () => {
      const { runMinutes, silenceMinutes, troubledMinutes } = config().limits
      return {
        totalMs: runMinutes * 60_000,
        silenceMs: silenceMinutes * 60_000,
        troubleMs: troubledMinutes * 60_000,
      }
    },
    by: HUB,
    times: runs.times,
    reached: runs.reached,
  })
  const all = [
    ...(tools as Tool<Services>[]),
    ...projectOperations,
    ...taskOperations,
    ...agentOperations,
    ...runnerOperations(options.key),
    ...tokenOperations,
    ...memoryOperations,
    ...phaseOperations,
    ...worktreeOperations(worktrees, { get: id => bind(database).projects.get(id) }),
    ...tabOperations,
    ...trustOperations(scout),
    ...crewOperations,
    ...runOperations(runs.logFolder, ({ agentId, projectId, epoch }) =>
      runs.instanceLog({ agentId, projectId, epoch: epoch ?? 0 }),
    ),
    ...hubOperations({
      database,
      events,
      facts: options.facts,
      stop: options.stop,
      unregister: options.unregister ?? (async () => []),
      engines: () => engines.list(),
    }),
    completeAgent,
    completeTask,
    latestHandoff,
    taskStart,
    handoffTemplate,
    contextSummary,
  ]
  const registry = new Registry<Services>(all, merges)
  const { identity, crewRuns, runners, tokens, pauses } = bind(database)
  /** Whom a credential speaks for, by its prefix. */
  const tickets: Record<string, Identities['fromCredential']> = {
    tkt: (ticket, connectionSecret) => identity.redeem(ticket, connectionSecret),
    rtk: (ticket, connectionSecret, peer) => crewRuns.redeem(ticket, connectionSecret, peer),
    rnr: token => runners.identify(token),
    opr: token => tokens.identify(token),
    ttk: (ticket, connectionSecret, peer) =>
      bind(database).tabs.redeem(ticket, connectionSecret, marker => descends(peer, marker)),
  }
  const invoker = new Invoker<Services>({
    database,
    events,
    clock,
    ids,
    log,
    quotas: new Quotas(() => config().limits, clock),
    bind,
    admit: async (db, caller, opener = caller) => {
      const inside = bind(db)
      if (caller.kind === 'runner') return inside.runners.admit(caller)
      await inside.tokens.admit(opener)
      await inside.identity.admit(caller)
      await inside.crewRuns.admit(opener)
      await inside.tabs.admit(opener)
    },
    named: (db, token, { caller, connection }) => bind(db).identity.named(token, caller, connection?.secret),
    onConnection: secret => identity.onConnection(secret),
  })
  const operatorDigest = async (key: string) =>
    [digest(token)].find(one => one.startsWith(key)) ?? (await tokens.digestOf(key))
  const tending = new Tending({ database, clock, bind })
  return {
    version,
    lang: options.lang,
    log,
    events,
    registry,
    invoker,
    resources,
    prompts,
    worktrees,
    identities: {
      fromCredential: async (credential, connectionSecret, peer) => {
        if (sameSecret(credential, token)) return { kind: 'operator' }
        if (sameSecret(credential, options.runnerToken)) return { kind: 'runner', name: options.runnerName }
        const [kind = ''] = credential.split('_', 1)
        const redeem = Object.hasOwn(tickets, kind) ? tickets[kind] : undefined
        return redeem ? redeem(credential, connectionSecret, peer) : identity.redeem(credential, connectionSecret)
      },
      originOf: peer => peers.originOf(peer),
      digestOf: async key =>
        (await operatorDigest(key)) ??
        [digest(options.runnerToken)].find(one => one.startsWith(key)) ??
        (await runners.digestOf(key)) ??
        (await identity.digestOf(key)),
      operatorDigest,
      onConnection: secret => identity.onConnection(secret),
    },
    toolsets: givenToolsets({ config, services: bind(database) }),
    terminals,
    keeper,
    tend: async connectionSecrets => {
      // Before anything is judged by the time: another hub may have been awake while we were not.
      await clock.beat()
      await tending.tend(connectionSecrets)
      embedding.tend()
      // Not waited for: deleting many files takes its time.
      void worktrees.tend().catch(error => log.warn({ err: error }, 'the trash of worktrees was not tended'))
      processes.wake()
    },
    waiting: () => waitingStarts(bind(database)),
    processes,
    // A folder that cannot be put in order must not keep the hub from starting.
    recover: () =>
      worktrees.recover().catch(error => log.error({ err: error }, 'worktrees could not be brought in order')),
    imported: async tx => {
      await scrubEvents(tx.tables())
      await worktrees.imported(tx)
      await rebuild.begin(tx)
    },
    index: anew => rebuild.run(({ done, total }) => log.info({ done, total }, "memory's index is being rebuilt"), anew),
    dispose: async () => {
      await worktrees.dispose()
      await rebuild.dispose()
      await embedding.dispose()
    },
  }
}
