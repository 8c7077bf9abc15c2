// Connects the domains: each gets what it needs of the others as a port. Services are made anew over each transaction.
import type { Caller } from '#contract/caller.ts'
import { runEnd } from '#contract/run-end.ts'
import type { Roles } from '#domains/crews/roles.ts'
import { Crews } from '#domains/crews/service.ts'
import { Specs } from '#domains/crews/specs.ts'
import type { Wake } from '#domains/crews/wake.ts'
import { Watch } from '#domains/crews/watch.ts'
import { Agents } from '#domains/identity/agents.ts'
import { Runners } from '#domains/identity/runners.ts'
import { Identity } from '#domains/identity/service.ts'
import { Starts } from '#domains/identity/starts.ts'
import { Tokens } from '#domains/identity/tokens.ts'
import { ExactSearch } from '#domains/memory/exact.ts'
import { Loader } from '#domains/memory/found.ts'
import type { Embedder } from '#domains/memory/ports.ts'
import { Recall } from '#domains/memory/recall.ts'
import { Recalling } from '#domains/memory/recalling.ts'
import { Memory } from '#domains/memory/service.ts'
import { Transfer } from '#domains/memory/transfer.ts'
import { Prompts } from '#domains/phases/prompts.ts'
import type { RemotePrompts } from '#domains/phases/remote.ts'
import { Phases } from '#domains/phases/service.ts'
import type { Shelf } from '#domains/phases/shelf.ts'
import { Steering } from '#domains/phases/steering.ts'
import { Handoffs } from '#domains/projects/handoffs.ts'
import { Projects } from '#domains/projects/projects.ts'
import { Tasks } from '#domains/projects/tasks.ts'
import { Work } from '#domains/projects/work.ts'
import { CrewRuns } from '#domains/runs/crew-runs.ts'
import type { Live } from '#domains/runs/ports.ts'
import { outcomeOf } from '#domains/runs/model.ts'
import { Pauses } from '#domains/runs/pauses.ts'
import { Runs } from '#domains/runs/service.ts'
import { type Patience, Waiting } from '#domains/runs/waiting.ts'
import { Launching } from '#domains/tabs/launching.ts'
import { Messages } from '#domains/tabs/messages.ts'
import { Tabs } from '#domains/tabs/service.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import type { Scout } from '#domains/trust/ports.ts'
import { Trusts } from '#domains/trust/service.ts'
import { iso } from '#kernel/clock.ts'
import type { Config } from '#kernel/config.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { crewMembers } from './crew-members.ts'
import { ownersOf, placesOf } from './places.ts'
import { enclosingFolders, exactFolders } from './project-folders.ts'
import { startedWith } from './started-with.ts'
import type { TabParts } from './tabs.ts'
import { lostInstance } from './workflows/lost-instance.ts'
import { startIsARun } from './workflows/start-is-a-run.ts'

export type Kernel = {
  events: EventLog
  clock: HubTime
  ids: Ids
  version: string
  remote: RemotePrompts
  shelf: Shelf
  search: TextSearch
  embedder: () => Embedder | undefined
  limits: () => Config['limits']
  /** Names this hub's folder on this machine. */
  place: string
  /** The name of the Runner that this hub brings along. */
  runner: string
  roles: Roles
  launching: Wake & Live
  /** For tests. */
  patience?: Patience | undefined
  worktrees: Worktrees
  /** Whether the process at the other end of a connection comes from the one that was started with this mark. */
  descends: (peer: Peer, marker: string) => Promise<boolean>
  tabs: Pick<TabParts, 'hub' | 'lookout' | 'engines' | 'repositories' | 'permission'>
  scout: Scout
}

export type Services = {
  about: { version: string; now(): string }
  secrets: { passkey(): string }
  agents: Agents
  identity: Identity
  runners: Runners
  starts: Starts
  tokens: Tokens
  pauses: Pauses
  projects: Projects
  tasks: Tasks
  handoffs: Handoffs
  work: Work
  runs: Runs
  crewRuns: CrewRuns
  crews: Crews
  members: ReturnType<typeof crewMembers>
  specs: Specs
  roles: Roles
  waiting: Waiting
  watch: Watch
  launching: Wake
  live: Live
  prompts: Prompts
  phases: Phases
  steering: Steering
  memory: Memory
  exact: ExactSearch
  recalling: Recalling
  transfer: Transfer
  tabs: Tabs
  messages: Messages
  launches: Launching
  trusts: Trusts
  worktrees: Worktrees
}

export function services(db: Db, kernel: Kernel): Services {
  const { events, clock, ids, version, remote, shelf, search, embedder, limits, place, roles, launching } = kernel
  const agents = new Agents({ db, events, clock, ids })
  const projects = new Projects({
    db,
    events,
    clock,
    ids,
    agents: {
      get: id => agents.get(id),
      enabledAmong: ids => agents.enabledAmong(ids),
    },
  })
  const trusts = new Trusts({
    ...{ db, events, clock, scout: kernel.scout, runner: kernel.runner },
    owners: ownersOf(projects, kernel.worktrees),
  })
  const tasks = new Tasks({ db, events, clock, ids, projects })
  const handoffs = new Handoffs({ db, events, clock, ids, tasks, projects })
  const folders = enclosingFolders(projects)
  const memory = new Memory({
    db,
    search,
    events,
    clock,
    projects: {
      find: id => projects.find(id),
      findByNumber: number => projects.findByNumber(number),
      findAt: (place, by) => folders.findAt(place, by),
      list: (from, limit) => projects.list(from - 1, limit),
      add: (fresh, by) => projects.add({ ...fresh, directory: null }, by),
    },
  })
  const recall = new Recall({ db, search, clock, embedder })
  const recalling = new Recalling({ memory, recall, loader: new Loader(db, search) })
  const pauses = new Pauses({ db, events, clock })
  const runners = new Runners({ db, events, clock, ids, projects })
  const starts = new Starts({
    db,
    events,
    clock,
    ids,
    limits,
    projects,
    runners,
    engines: {
      isPaused: async engine => (await pauses.find(engine)) !== undefined,
      listPaused: async () => (await pauses.list()).map(({ engine }) => engine),
      pause: (engine, resetsAt, reason, by) => pauses.pause(engine, resetsAt, reason, by),
    },
    trust: { isRefused: async (projectId, runner) => (await trusts.refusedStarts({ projectId, runner })).length > 0 },
    runs: startIsARun({ runs: () => runs, tasks }),
    lost: (tx, lease, loss, by) => identity.lost(tx, lease, loss, by),
  })
  const identity: Identity = new Identity({
    db,
    events,
    clock,
    ids,
    projects: {
      find: id => projects.find(id),
      isAssigned: (projectId, agentId) => projects.isAssigned(projectId, agentId),
      hasWork: async (projectId, agentId) => {
        const work = await tasks.listWork(projectId, agentId, ['in_progress'], 1)
        return work.length > 0
      },
      listWithWork: () => tasks.listPairs(['in_progress']),
    },
    instances: {
      left: (session, by) => runs.abandon(session.id, session, runEnd('signed-out'), by),
      lost: (instance, by) => lostInstance({ runs, tasks }, instance, by),
    },
    starts,
    trust: trusts,
  })
  const runs: Runs = new Runs({
    db,
    events,
    clock,
    ids,
    sessions: { session: (token, by) => identity.session(token, by) },
    tasks: { find: id => tasks.find(id) },
  })
  const crewRuns: CrewRuns = new CrewRuns({
    db,
    events,
    clock,
    ids,
    place,
    crews: { ended: (run, by) => crews.ended(run, by) },
    pauses,
    descends: kernel.descends,
  })
  const members = crewMembers(crewRuns)
  const ownPermission = startedWith({ runs: crewRuns, tabs: { find: id => tabs.find(id) }, starts })
  const crews: Crews = new Crews({ db, events, clock, runs: members, limits, startedWith: ownPermission })
  const specs = new Specs({ roles, places: placesOf(projects, crewRuns, { find: id => tabs.find(id) }), trust: trusts })
  const work = new Work({
    db,
    projects,
    tasks,
    decisions: recalling,
    sessions: {
      session: (token, by) => identity.session(token, by),
      onConnection: secret => identity.onConnection(secret),
      reportOf: async token => (await identity.findSession(token))?.report ?? undefined,
      complete: (session, report, by) => identity.complete(session.id, report, by),
    },
    runs: {
      open: async (session, taskId, by) => void (await runs.open(session, taskId, by)),
      close: async (session, result, summary, by) => {
        const ending = { outcome: outcomeOf(result), result, summary, end: runEnd('reported') }
        const run = await runs.report(session, ending, by)
        return run?.taskId
      },
    },
  })
  const prompts = new Prompts({ db, events, clock, remote, shelf })
  const phases = new Phases({ db, events, clock, prompts, shelf, projects: folders })
  const steering = new Steering({ db, events, clock, prompts, projects: folders })
  const { hub, lookout, engines, repositories, permission } = kernel.tabs
  const messagesOver = (over: Db) => new Messages({ db: over, events, clock, ids, limits })
  const messages = messagesOver(db)
  const tabs: Tabs = new Tabs({
    ...{ db, events, clock, ids, hub, limits, lookout, permission },
    messages: messagesOver,
    startedWith: ownPermission,
  })
  const launches = new Launching({ projects: exactFolders(projects), repositories, engines, trust: trusts, tabs })
  return {
    about: { version, now: () => iso(clock.now()) },
    secrets: { passkey: () => ids.secret('key') },
    agents,
    identity,
    runners,
    starts,
    tokens: new Tokens({ db, events, clock, ids }),
    pauses,
    projects,
    tasks,
    handoffs,
    work,
    runs,
    crewRuns,
    crews,
    members,
    specs,
    roles,
    waiting: new Waiting({ runs: crewRuns, events, patience: kernel.patience }),
    launching,
    live: launching,
    watch: new Watch(events),
    memory,
    exact: new ExactSearch({ db, search }),
    recalling,
    transfer: new Transfer({ db, search, memory }),
    prompts,
    phases,
    steering,
    tabs,
    messages,
    launches,
    trusts,
    worktrees: kernel.worktrees,
  }
}

/** The hub acting by itself. */
export const HUB: Caller = { kind: 'operator' }
