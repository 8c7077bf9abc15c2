// Connects the domains: each gets what it needs of the others as a port. Services are created for each transaction.
import type { Text } from '#contract/errors.ts'
import type { MergeId } from '#contract/id-types.ts'
import { Seen } from '#domains/inbox/seen.ts'
import { Agents } from '#domains/identity/agents.ts'
import type { Embedder } from '#domains/memory/ports.ts'
import type { RemotePrompts } from '#domains/phases/remote.ts'
import type { Shelf } from '#domains/phases/shelf.ts'
import type { Task } from '#domains/projects/model.ts'
import type { Repositories } from '#domains/projects/ports.ts'
import type { Work } from '#domains/projects/work.ts'
import { Pauses } from '#domains/runs/pauses.ts'
import type { RunProcesses } from '#domains/runs/processes.ts'
import type { Roles } from '#domains/runs/roles.ts'
import type { Patience } from '#domains/runs/waiting.ts'
import type { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import { Overlaps } from '#domains/thread/overlaps.ts'
import type { WorkspacesDeps } from '#domains/thread/workspaces.ts'
import type { Scout } from '#domains/trust/ports.ts'
import { Trusts } from '#domains/trust/service.ts'
import { iso } from '#kernel/clock.ts'
import type { Config } from '#contract/config.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import type { TextSearch } from '#kernel/search/text-search.ts'
import { ownersOf } from './places.ts'
import { enclosingFolders } from './project-folders.ts'
import { type IdentityServices, identityServices } from './services/identity.ts'
import { type MemoryServices, memoryServices } from './services/memory.ts'
import { type MergeServices, mergeServices } from './services/merges.ts'
import { type PhaseServices, phaseServices } from './services/phases.ts'
import { type ProjectServices, projectServices, workService } from './services/projects.ts'
import { type RunServices, runServices } from './services/runs.ts'
import { type TabServices, tabServices } from './services/tabs.ts'
import { taskWorkspaces, type Workplaces } from './services/task-workspaces.ts'
import { type ThreadServices, threadServices } from './services/thread.ts'
import { type VerifyServices, verifyServices } from './services/verify.ts'
import { narrowedBy } from './narrowed-by.ts'
import type { ProjectLimits } from './project-limits.ts'
import { startedWith } from './started-with.ts'
import { lookAtBase, mustHaveBase } from './workflows/base-behind.ts'
import type { TabParts } from './tabs.ts'

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
  projectLimits: ProjectLimits
  /** Names this hub's folder on this machine. */
  place: string
  /** The name of the Runner that this hub brings along. */
  runner: string
  roles: Roles
  processes: Pick<RunProcesses, 'wake' | 'facts'>
  /** For tests. */
  patience?: Patience | undefined
  worktrees: Worktrees
  /** Workspaces that this hub is making right now. */
  making: WorkspacesDeps['making']
  /** Merges of other machines that were seen on the bases here. */
  contained: Set<MergeId>
  /** Whether the process at the other end of a connection comes from the one that was started with this mark. */
  descends: (peer: Peer, marker: string) => Promise<boolean>
  tabs: Pick<TabParts, 'hub' | 'screens' | 'engines' | 'repositories' | 'permission'>
  scout: Scout
  /** Where checks write their logs. */
  checkLogs: string
  /** Moves reported work on. */
  threadKeeper: { wake(): void }
}

/** The same for one transaction, or for the database itself. */
export type Over = { db: Db; kernel: Kernel }

export type Services = {
  about: { version: string; now(): string }
  secrets: { passkey(): string }
  agents: Agents
  pauses: Pauses
  trusts: Trusts
  seen: Seen
  work: Work
  worktrees: Worktrees
  repositories: Repositories
  threadKeeper: Kernel['threadKeeper']
  branches: Pick<TabParts['repositories'], 'contains' | 'branchAt'>
  bases: {
    whyBehind(task: Task): Promise<Text | undefined>
    /** Asks git only where a new workspace would begin. */
    mustHave(task: Task): Promise<void>
  }
  workplaces: Workplaces
  overlaps: Overlaps
} & ProjectServices &
  IdentityServices &
  MemoryServices &
  RunServices &
  PhaseServices &
  TabServices &
  ThreadServices &
  MergeServices &
  VerifyServices

/** The services over a transaction, or over the database itself. */
export type Bind = (db: Db) => Services

// By name, not spread: this runs for each transaction, and spreading costs many times as much.
export function services(db: Db, kernel: Kernel): Services {
  const over: Over = { db, kernel }
  const { events, clock, ids, version, scout, runner, worktrees } = kernel
  // Domains that need each other: what is made later is asked for in calls only.
  const later = (): Services => all
  const agents = new Agents({ db, events, clock, ids })
  const pauses = new Pauses({ db, events, clock })
  const { projects, tasks, notes, columns, links, plans, passes, handoffs } = projectServices(over, agents, later)
  const trusts = new Trusts({ db, events, clock, scout, runner, owners: ownersOf(projects, worktrees) })
  const folders = enclosingFolders(projects)
  const remembered = memoryServices(over, { projects, tasks, folders })
  const { memory, exact, recalling, transfer, taskDecisions } = remembered
  const narrowed = narrowedBy(kernel.projectLimits, projects)
  const signing = identityServices(over, { projects, tasks, trusts, pauses, narrowed }, later)
  const { identity, leases, claims, tickets, runners, starts, tokens, pages } = signing
  const granted = startedWith(later)
  const running = runServices(
    over,
    { projects, tasks, identity, trusts, pauses, narrowed, startedWith: granted },
    later,
  )
  const { runs, crewRuns, hubPresence, runTickets, runStats, crews, specs, roles, waiting, processes } = running
  const { prompts, phases, steering } = phaseServices(over, folders)
  const { tabs, tabTickets, messages, launches } = tabServices(
    over,
    { projects, trusts, narrowed, startedWith: granted },
    later,
  )
  const { workspaces } = threadServices(over, { agents, projects, starts, runs, crewRuns, tabs, worktrees })
  const { merges } = mergeServices(over, { projects, tasks }, later)
  const overlaps = new Overlaps({ db, events, clock, tasks })
  const judging = { narrowed, projects, tasks, merges, agents, runs, crewRuns, tabs, messages }
  const { checks, snapshots, evidence, settling, reviews, askedReviews, pulls } = verifyServices(over, judging)
  const bases: Services['bases'] = {
    whyBehind: task => lookAtBase(later(), kernel, task),
    mustHave: task => mustHaveBase(later(), kernel, task),
  }
  const working = { identity, runs, starts, workspaces, snapshots, reviews, overlaps, bases }
  const work = workService(over, { ...working, projects, tasks, notes, links, recalling, taskDecisions })
  const seen = new Seen({ db, events, clock })
  const about = { version, now: () => iso(clock.now()) }
  const git = kernel.tabs.repositories
  const repositories: Repositories = {
    isRepository: async folder => (await git.topOf(folder)) !== undefined,
    hasBranch: (folder, branch) => git.hasBranch(folder, branch),
  }
  const secrets = { passkey: () => ids.secret('key') }
  const all: Services = {
    about,
    secrets,
    agents,
    identity,
    leases,
    claims,
    tickets,
    runners,
    starts,
    tokens,
    pages,
    pauses,
    projects,
    tasks,
    notes,
    columns,
    links,
    plans,
    passes,
    handoffs,
    work,
    runs,
    crewRuns,
    hubPresence,
    runTickets,
    runStats,
    crews,
    specs,
    roles,
    waiting,
    processes,
    memory,
    exact,
    recalling,
    transfer,
    taskDecisions,
    prompts,
    phases,
    steering,
    tabs,
    tabTickets,
    messages,
    launches,
    workspaces,
    workplaces: taskWorkspaces(later),
    overlaps,
    merges,
    worktrees,
    repositories,
    threadKeeper: kernel.threadKeeper,
    branches: git,
    bases,
    trusts,
    checks,
    snapshots,
    evidence,
    settling,
    reviews,
    askedReviews,
    pulls,
    seen,
  }
  return all
}
