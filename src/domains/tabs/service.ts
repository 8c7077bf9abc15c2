// The verbs on tabs: who may launch one and when, which are there, and how they end. Starts nothing itself: keeper.ts does.
import { confinedTo, mayEnter } from '#contract/access.ts'
import { type Caller, callerName } from '#contract/caller.ts'
import type { ProjectId, TabId, TaskId, WorktreeId } from '#contract/id-types.ts'
import { grantedBy, mayGrant, type TabPermission } from '#contract/permission.ts'
import {
  TabCreated,
  type TabEnd,
  TabEnded,
  TabError,
  TabOpened,
  TabPrepared,
  TabStatusChanged,
  TabStopRequested,
  type TabStatus,
} from '#contract/tabs.ts'
import { WorktreeError } from '#contract/worktrees.ts'
import type { Db } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import { digest, type Ids } from '#kernel/ids.ts'
import type { Started } from '#kernel/processes/origin.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import type { Messages } from './messages.ts'
import { depthBelow, LAUNCH_WINDOW_MS, type Problem, statusOf, type Tab, waitForLaunch } from './model.ts'
import type { Limits, Narrowed, TabScreens, StartedWith } from './ports.ts'
import { TabStore } from './store.ts'
import { speakerOf } from './tickets.ts'
import { until } from './until.ts'

export type TabDeps = {
  db: Db
  events: EventLog
  clock: HubTime
  ids: Ids
  /** Which of the hubs that may share the database this one is. */
  hub: string
  limits: () => Limits
  narrowed: Narrowed
  /** Inside the same transaction, whichever one it is. */
  messages: (db: Db) => Messages
  screens: TabScreens
  startedWith: StartedWith
  /** Where the launch does not say. */
  permission: () => TabPermission
}

export type LaunchPlan = {
  engine: string
  projectId: ProjectId
  directory: string
  branch: string
  base: string | undefined
  prompt: string | undefined
  permission: TabPermission | undefined
  taskId?: TaskId | undefined
  /** The conversation of a run to go on with. */
  resumes?: string | undefined
}

export type Ending = {
  reason: TabEnd
  exitCode?: number | null
  exitSignal?: string | null
  problem?: Problem | null
  /** What its program called the conversation in its last line. */
  sessionId?: string | undefined
}

export class Tabs {
  readonly #deps: TabDeps

  constructor(deps: TabDeps) {
    this.#deps = deps
  }

  find(id: TabId): Promise<Tab | undefined> {
    return new TabStore(this.#deps.db).find(id)
  }

  async get(id: TabId, by: Caller): Promise<Tab> {
    const tab = await this.find(id)
    if (!tab || tab.endReason === 'refused') throw TabError.TAB_NOT_FOUND({ tabId: id })
    mayEnter(tab.projectId, by)
    return tab
  }

  async getLive(id: TabId, by: Caller): Promise<Tab> {
    const tab = await this.get(id, by)
    if (tab.endedAt !== null) throw TabError.TAB_NOT_FOUND({ tabId: id, ended: true })
    return tab
  }

  /** Those that the caller may see, oldest first. */
  async list(filter: { live: boolean; projectId?: ProjectId | undefined }, after: string, limit: number, by: Caller) {
    const own = confinedTo(by)
    const projectId = filter.projectId ?? own
    if (projectId === null) return []
    if (projectId !== undefined) mayEnter(projectId, by)
    return new TabStore(this.#deps.db).list({ ...filter, projectId }, after, limit)
  }

  /** Newest first. */
  listEnded(projectId: ProjectId | undefined, limit: number): Promise<Tab[]> {
    return new TabStore(this.#deps.db).listEnded(projectId, limit)
  }

  /** The live ones in the workspace of this task. */
  listOn(taskId: TaskId): Promise<Tab[]> {
    return new TabStore(this.#deps.db).listOn(taskId)
  }

  /** The live ones whose terminals are this hub's. */
  listOwn(): Promise<Tab[]> {
    return new TabStore(this.#deps.db).list({ hub: this.#deps.hub, live: true })
  }

  /** Those of all hubs that have a process, or are about to, and whom it speaks for. */
  async listStarted(): Promise<Started<Caller>[]> {
    const tabs = await new TabStore(this.#deps.db).list({ live: true })
    return tabs.flatMap(tab => (tab.process ? [{ record: tab.process, what: speakerOf(tab) }] : []))
  }

  async status(tab: Tab): Promise<TabStatus> {
    const sight = tab.endedAt === null ? await this.#deps.screens.sight(tab) : undefined
    return statusOf(tab, sight)
  }

  /** What a live one shows now. */
  async screen(tab: Tab): Promise<string[] | null> {
    if (tab.endedAt !== null) return null
    return (await this.#deps.screens.screen(tab)) ?? null
  }

  async lastScreen(tab: Tab): Promise<string[] | null> {
    if (tab.endedAt === null) return null
    return (await this.#deps.screens.lastScreen(tab)) ?? null
  }

  /** Every limit is checked, and the place taken, in the one transaction that makes the tab: all ways of launching lead here. */
  create(plan: LaunchPlan, by: Caller): Promise<Tab> {
    return this.#deps.db.tx(async tx => {
      const { clock, ids, hub, events } = this.#deps
      mayEnter(plan.projectId, by)
      const permission = plan.permission ?? this.#deps.permission()
      mayGrant(grantedBy(permission), await this.#deps.startedWith(by), null)
      const limits = this.#deps.limits()
      const { file, ...narrowed } = await this.#deps.narrowed(plan.projectId)
      const depth = depthBelow(by)
      const deepest = Math.min(limits.depth, narrowed.depth ?? Infinity)
      if (depth > deepest) throw TabError.TAB_DEPTH_REACHED({ depth: deepest })
      const store = new TabStore(tx)
      const there = await store.findLive({ projectId: plan.projectId, branch: plan.branch })
      if (there) throw WorktreeError.WORKTREE_IN_USE({ branch: plan.branch, tabId: there.id })
      const live = await store.list({ hub, live: true })
      const beside = isInFolder(plan)
        ? live.find(tab => isInFolder(tab) && tab.directory === plan.directory)
        : undefined
      if (beside) throw WorktreeError.WORKTREE_IN_USE({ branch: beside.branch, tabId: beside.id })
      if (live.length >= limits.tabs) throw TabError.TAB_LIMIT_REACHED({ limit: limits.tabs })
      const ofProject = live.filter(({ projectId }) => projectId === plan.projectId)
      if (narrowed.tabs !== undefined && ofProject.length >= narrowed.tabs)
        throw TabError.TAB_LIMIT_REACHED({ limit: narrowed.tabs, file })
      const now = clock.steady()
      for (const { limit, projectId } of [
        { limit: limits.launchesPerMinute },
        { limit: narrowed.launchesPerMinute, projectId: plan.projectId },
      ]) {
        if (limit === undefined) continue
        const launches = await store.launchesSince(hub, now - LAUNCH_WINDOW_MS, projectId)
        const wait = waitForLaunch(launches, limit, now)
        if (wait !== undefined) throw TabError.RATE_LIMITED({ limit, seconds: Math.ceil(wait / 1000) })
      }
      const tab = freshTab(ids.next('tab'), hub, { ...plan, permission }, depth, by, {
        createdAt: clock.now(),
        beganAt: now,
      })
      await store.insert(tab)
      const { id, engine, branch, parentId: parent } = tab
      await events.publish(tx, TabCreated, { tabId: id, engine, branch, depth, parent }, by, tab.projectId)
      if (plan.prompt !== undefined) await this.#deps.messages(tx).prompt(tab, plan.prompt, by)
      return tab
    })
  }

  prepared(id: TabId, worktree: { id: WorktreeId | null; path: string }, by: Caller): Promise<Tab> {
    return this.#change(id, async (tab, tx) => {
      await this.#deps.events.publish(tx, TabPrepared, { tabId: id, worktree: worktree.path }, by, tab.projectId)
      return { ...tab, worktreeId: worktree.id, worktreePath: worktree.path }
    })
  }

  /** Before its process is started: by this it is found whatever happens to us. */
  planned(id: TabId, process: ProcessRecord, ticket: string, sessionId: string | null): Promise<Tab> {
    return this.#change(id, async tab => ({
      ...tab,
      process,
      sessionId,
      ticketDigest: digest(ticket),
      ticketConnections: [],
    }))
  }

  /** What its program calls the conversation. One that was chosen for it, or reported before, stays. */
  async nameConversation(id: TabId, sessionId: string): Promise<void> {
    await this.#change(id, async tab => ({ ...tab, sessionId: tab.sessionId ?? sessionId }))
  }

  opened(id: TabId, process: ProcessRecord, adopted: boolean, by: Caller): Promise<Tab> {
    return this.#change(id, async (tab, tx) => {
      await this.#deps.events.publish(tx, TabOpened, { tabId: id, adopted }, by, tab.projectId)
      return { ...tab, process, openedAt: tab.openedAt ?? this.#deps.clock.now() }
    })
  }

  /** The first sign of life, and every change after it. */
  seen(id: TabId, status: TabStatus, by: Caller): Promise<Tab> {
    return this.#change(id, async (tab, tx) => {
      await this.#deps.events.publish(tx, TabStatusChanged, { tabId: id, status }, by, tab.projectId)
      return { ...tab, readyAt: tab.readyAt ?? this.#deps.clock.now() }
    })
  }

  /** Recorded first, so that it happens even if this hub dies. One that has ended needs no stop. */
  requestStop(id: TabId, by: Caller): Promise<Tab> {
    return this.#deps.db.tx(async tx => {
      const tab = await this.get(id, by)
      if (tab.endedAt !== null || tab.stopRequestedAt !== null) return tab
      const asked = { ...tab, stopRequestedAt: this.#deps.clock.now() }
      await new TabStore(tx).save(asked)
      await this.#deps.events.publish(tx, TabStopRequested, { tabId: id }, by, tab.projectId)
      return asked
    })
  }

  /** Once; what comes later changes nothing. What still waited for it cannot be delivered any more. */
  end(id: TabId, ending: Ending, by: Caller): Promise<Tab> {
    return this.#deps.db.tx(async tx => {
      const store = new TabStore(tx)
      const tab = await store.find(id)
      if (!tab) throw TabError.TAB_NOT_FOUND({ tabId: id })
      if (tab.endedAt !== null) return tab
      const { reason, exitCode = null, exitSignal = null, problem = null } = ending
      const endedAt = this.#deps.clock.now()
      const sessionId = tab.sessionId ?? ending.sessionId ?? null
      const ended: Tab = {
        ...tab,
        endedAt,
        endReason: reason,
        exitCode,
        exitSignal,
        problem,
        sessionId,
        ticketDigest: null,
      }
      await store.save(ended)
      await this.#deps.messages(tx).giveUp(tab, 'tab_ended', by)
      const refusal = problem?.text ?? null
      const fact = { tabId: id, reason, exitCode, problem: refusal && refusal.en, refusal }
      await this.#deps.events.publish(tx, TabEnded, fact, by, tab.projectId)
      return ended
    })
  }

  /** The id of the live tab that works in this folder. */
  async at(worktreePath: string): Promise<string | undefined> {
    return (await new TabStore(this.#deps.db).findLive({ worktreePath }))?.id
  }

  /** Waits until the tab is as wanted; gives up at the signal or after `ms`, with the tab as it is then. */
  until(id: TabId, wanted: (tab: Tab) => boolean, signal: AbortSignal, ms: number): Promise<Tab> {
    return until({ tabs: this, events: this.#deps.events }, id, wanted, signal, ms)
  }

  #change(id: TabId, change: (tab: Tab, tx: Parameters<EventLog['publish']>[0]) => Promise<Tab>): Promise<Tab> {
    return this.#deps.db.tx(async tx => {
      const store = new TabStore(tx)
      const tab = await store.find(id)
      if (!tab) throw TabError.TAB_NOT_FOUND({ tabId: id })
      if (tab.endedAt !== null) return tab
      const changed = await change(tab, tx)
      await store.save(changed)
      return changed
    })
  }
}

type Made = Pick<Tab, 'createdAt' | 'beganAt'>
type Decided = LaunchPlan & { permission: TabPermission }

/** It goes on with a run's conversation where the run worked, whatever its program checks out there meanwhile. */
function isInFolder({ resumes, taskId }: { resumes?: string | null | undefined; taskId?: TaskId | null | undefined }) {
  return (resumes ?? null) !== null && (taskId ?? null) === null
}

function freshTab(id: TabId, hub: string, plan: Decided, depth: number, by: Caller, at: Made): Tab {
  return {
    id,
    hub,
    engine: plan.engine,
    projectId: plan.projectId,
    taskId: plan.taskId ?? null,
    directory: plan.directory,
    branch: plan.branch,
    base: plan.base ?? null,
    prompt: plan.prompt ?? null,
    worktreeId: null,
    worktreePath: null,
    sessionId: null,
    resumes: plan.resumes ?? null,
    permission: plan.permission,
    depth,
    launchedBy: callerName(by),
    parentId: by.kind === 'tab' ? by.tabId : null,
    process: null,
    ticketDigest: null,
    ticketConnections: [],
    ...at,
    openedAt: null,
    readyAt: null,
    stopRequestedAt: null,
    endedAt: null,
    endReason: null,
    exitCode: null,
    exitSignal: null,
    problem: null,
  }
}
