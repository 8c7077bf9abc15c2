// Keeps this hub's tabs going: starts them (opening.ts), has them watched and written to, stops them, and finds them again
// after a crash. How a program starts, what its screen shows and when a line may be typed is for others to know.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '#contract/caller.ts'
import { pathIn } from '#contract/ids.ts'
import { HubError } from '#contract/errors.ts'
import type { StoredEvent } from '#contract/events.ts'
import type { TabId } from '#contract/id-types.ts'
import { TabCreated, TabError, TabStopRequested, MessageQueued } from '#contract/tabs.ts'
import type { EventLog } from '#kernel/events.ts'
import type { HubTime } from '#kernel/hub-time.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { LaunchError } from '#kernel/processes/launch.ts'
import { pruneLogs } from '#kernel/processes/prune-logs.ts'
import { stop } from '#kernel/processes/stop.ts'
import { type ListedTerminal, TerminalError, type TerminalExit, type Terminals } from '#kernel/terminals/terminals.ts'
import type { Messages } from './messages.ts'
import { problemOf, type Sight, type Tab, unwrapped } from './model.ts'
import { openTab, Stopped } from './opening.ts'
import type { TabEngines, TabScreens, TaskWorkspaces, Trust, Worktrees } from './ports.ts'
import { Postman } from './postman.ts'
import type { Ending, Tabs } from './service.ts'
import { Watch } from './watch.ts'

export type KeeperDeps = {
  /** Over the database itself: each verb is a transaction of its own. */
  tabs: Tabs
  messages: Messages
  trust: Trust
  worktrees: Worktrees
  workspaces: Pick<TaskWorkspaces, 'ensure'>
  engines: TabEngines
  terminals: Terminals
  events: EventLog
  clock: HubTime
  ids: Ids
  log: Log
  hub: string
  /** Where each tab has a private folder, and its log. */
  folder: string
  /** The hub acting on its own. */
  by: Caller
  /** For tests: a place at which the hub may be killed. */
  reached?: ((step: Step) => void) | undefined
}

/** What has just been done, and nothing after it. */
export type Step = 'created' | 'prepared' | 'planned' | 'started' | 'opened' | 'pasted' | 'typed' | 'ended'

/** A start that was cut off so long ago is not taken up again: no one waits for it any more. */
const RESUME_MS = 5 * 60_000
/** What failed, most likely with the database, is tried again: sooner at first, then less and less often. */
const RETRY_MS = 500
const LAST_RETRY_MS = 30_000
/** In the tab's folder: what it showed last. */
const SCREEN = 'screen.txt'
/** The ladder by which a terminal ends takes 15 s at most. */
const END_MS = 20_000

type Kept = { tab: Tab; postman: Postman; watch: Watch }

export class Keeper implements TabScreens {
  readonly #deps: KeeperDeps
  readonly #kept = new Map<string, Kept>()
  readonly #busy = new Map<string, Promise<void>>()
  readonly #forget: (() => void)[] = []
  #pruning: Promise<void> = Promise.resolve()
  /** The hub ends: long waits may end. */
  readonly #gone = new AbortController()

  constructor(deps: KeeperDeps) {
    this.#deps = deps
  }

  /** Finds what an earlier hub left, then takes on what comes. */
  async start(): Promise<void> {
    const { events, terminals } = this.#deps
    this.#forget.push(terminals.onExit((id, exit) => this.#do(id as TabId, () => this.#exited(id as TabId, exit))))
    await this.#reconcile()
    this.#forget.push(events.subscribe(event => this.#heard(event)))
    // What was written while we looked.
    for (const { postman } of this.#kept.values()) postman.wake()
    for (const tab of await this.#live()) this.#take(tab)
  }

  /** `leave`: the terminals go on without us. `end`: they end with us. */
  async dispose(mode: 'leave' | 'end'): Promise<void> {
    this.#gone.abort()
    for (const forget of this.#forget.splice(0)) forget()
    await Promise.all([...this.#kept.values()].map(leave))
    await inTime(Promise.all(this.#busy.values()))
    const { terminals } = this.#deps
    const live = mode === 'end' ? await this.#live() : []
    await Promise.all(
      live.map(async tab => {
        const exit = tab.openedAt === null ? undefined : await inTime(terminals.stop(tab.id))
        await this.#end(tab.id, { reason: 'hub_stopped', ...exitOf(exit) })
      }),
    )
    await this.#pruning
    this.#kept.clear()
  }

  get size(): number {
    return this.#kept.size + this.#busy.size
  }

  async sight(tab: Tab): Promise<Sight | undefined> {
    if (!this.#kept.has(tab.id)) return undefined
    try {
      return this.#deps.engines.sight(tab.engine, await this.#deps.terminals.screen(tab.id))
    } catch {
      return undefined // It has just ended, or its host does not answer: there is nothing to see.
    }
  }

  async screen({ id }: Tab): Promise<string[] | undefined> {
    if (!this.#kept.has(id)) return undefined
    try {
      const lines = unwrapped(await this.#deps.terminals.screen(id))
      return lines.slice(0, lines.findLastIndex(line => line !== '') + 1)
    } catch {
      return undefined // As above.
    }
  }

  async lastScreen({ id }: Tab): Promise<string[] | undefined> {
    const file = join(this.#folderOf(id), SCREEN)
    const text = await readFile(file, 'utf8').catch(() => undefined) // There is none.
    return text?.split('\n')
  }

  #live(): Promise<Tab[]> {
    return this.#deps.tabs.listOwn()
  }

  #heard({ type, payload }: StoredEvent): void {
    const { tabId } = payload as { tabId?: unknown }
    if (typeof tabId !== 'string') return
    if (type === MessageQueued.type) return this.#kept.get(tabId)?.postman.wake()
    if (type !== TabCreated.type && type !== TabStopRequested.type) return
    this.#do(tabId as TabId, () => this.#look(tabId as TabId))
  }

  async #look(id: TabId): Promise<void> {
    const tab = await this.#deps.tabs.find(id)
    if (tab) this.#take(tab)
  }

  /** Does what its row asks for. Harmless when that is being done already. */
  #take(tab: Tab): void {
    if (tab.hub !== this.#deps.hub || tab.endedAt !== null || this.#gone.signal.aborted) return
    const { id } = tab
    if (this.#kept.has(id)) {
      if (tab.stopRequestedAt !== null) this.#do(id, () => this.#stop(id))
    } else if (tab.openedAt === null) this.#do(id, () => this.#launch(id))
  }

  /** One thing at a time for each tab, and each until it is done: nothing else would do it. */
  #do(id: TabId, work: () => Promise<void>): void {
    void this.#inTurn(id, async () => {
      for (let ms = RETRY_MS; ; ms = Math.min(ms * 2, LAST_RETRY_MS)) {
        try {
          return await work()
        } catch (error) {
          this.#deps.log.error({ err: error, tab: id }, 'a tab could not be looked after; it is tried again')
          await sleep(ms, undefined, { signal: this.#gone.signal }).catch(() => {}) // The hub ends.
          if (this.#gone.signal.aborted) return
        }
      }
    })
  }

  #inTurn(id: TabId, work: () => Promise<void>): Promise<void> {
    const done = (this.#busy.get(id) ?? Promise.resolve()).then(work)
    const over = done
      .catch(() => {}) // The caller gets the error.
      .then(() => {
        if (this.#busy.get(id) === over) this.#busy.delete(id)
      })
    this.#busy.set(id, over)
    return done
  }

  async #launch(id: TabId): Promise<void> {
    const { tabs } = this.#deps
    const tab = await tabs.find(id)
    if (!tab || tab.endedAt !== null || tab.openedAt !== null || this.#gone.signal.aborted) return
    this.#deps.reached?.('created')
    try {
      this.#keep(await openTab(this.#deps, tab, this.#folderOf(id), this.#gone.signal))
      // Its stop may have been asked for while it started.
      this.#do(id, () => this.#look(id))
    } catch (error) {
      // When the hub ends, it is ended with it or left to the next one. Else only its end is tried again, not its start.
      if (!this.#gone.signal.aborted) this.#do(id, () => this.#failed(id, error))
    }
  }

  async #failed(id: TabId, error: unknown): Promise<void> {
    // Its program may run already, and would be lost.
    await this.#deps.terminals.stop(id).catch((problem: unknown) => {
      if (!(problem instanceof TerminalError && problem.problem === 'no-terminal')) throw problem
    })
    if (error instanceof Stopped) return this.#end(id, { reason: 'stopped' })
    const known = error instanceof LaunchError ? TabError.LAUNCH_FAILED({ problem: error.message }) : error
    if (!(error instanceof HubError)) this.#deps.log.warn({ err: error, tab: id }, 'a tab could not be started')
    const refused = error instanceof HubError && error.kind !== 'unavailable' && error.kind !== 'internal'
    await this.#end(id, { reason: refused ? 'refused' : 'failed', problem: problemOf(known) })
  }

  #folderOf(id: TabId): string {
    return pathIn(this.#deps.folder, id)
  }

  #keep(tab: Tab): void {
    const { terminals, engines, messages, clock, log, by } = this.#deps
    if (tab.endedAt !== null || this.#kept.has(tab.id) || this.#gone.signal.aborted) return
    const reached = (step: Step) => this.#deps.reached?.(step)
    const postman = new Postman({ terminals, engines, messages, clock, log, by, reached }, tab)
    const watch = new Watch({ ...this.#deps, sight: () => this.sight(tab) }, tab)
    this.#kept.set(tab.id, { tab, postman, watch })
  }

  async #stop(id: TabId): Promise<void> {
    const { terminals } = this.#deps
    // It has ended meanwhile.
    if (!this.#kept.has(id)) return
    const exit = await terminals.stop(id)
    this.#deps.reached?.('ended')
    await this.#dropped(id)
    await this.#end(id, { reason: 'stopped', ...exitOf(exit) })
  }

  /** On its own, by our stop, or with its host. */
  async #exited(id: TabId, exit: TerminalExit): Promise<void> {
    const { tabs } = this.#deps
    await this.#dropped(id)
    const tab = await tabs.find(id)
    if (!tab || tab.hub !== this.#deps.hub) return
    const reason = exit.lost ? 'lost' : tab.stopRequestedAt === null ? 'exited' : 'stopped'
    await this.#end(id, { reason, ...exitOf(exit) })
  }

  async #dropped(id: TabId): Promise<void> {
    const kept = this.#kept.get(id)
    if (!kept) return
    this.#kept.delete(id)
    await leave(kept)
  }

  /** Its end is recorded after what only a live tab needs is gone: its ticket and configuration. The log stays. */
  async #end(id: TabId, ending: Ending): Promise<void> {
    const folder = this.#folderOf(id)
    const lines = await this.#keepScreen(id, folder)
    try {
      for (const name of ['ticket', 'mcp.json']) await rm(join(folder, name), { force: true })
    } catch (error) {
      // With its end the ticket is worth nothing, wherever it lies.
      this.#deps.log.warn({ err: error, tab: id }, "a tab's files could not be removed")
    }
    const { tabs, engines, by } = this.#deps
    const engine = (await tabs.find(id))?.engine ?? ''
    await tabs.end(id, { ...ending, sessionId: engines.farewell(engine, lines) }, by)
    // Only now: until then its host knows how it ended, whatever happens to us.
    await this.#deps.terminals.forget(id).catch(() => {}) // Its host may be gone.
    this.#pruning = this.#pruning.then(() => this.#pruneLogs())
  }

  /** Why a program ended is most often the last thing that it showed. */
  async #keepScreen(id: TabId, folder: string): Promise<readonly string[]> {
    try {
      const { lines } = await this.#deps.terminals.screen(id)
      const text = lines.join('\n').trim()
      if (text !== '') await writeFile(join(folder, SCREEN), text, { mode: 0o600 })
      return lines
    } catch {
      return [] // It never had a terminal, or that went with its host.
    }
  }

  /** Who lives has a ticket, also the tabs of other hubs of this home. */
  #pruneLogs(): Promise<void> {
    const { folder } = this.#deps
    return pruneLogs(folder, { isOpen: name => existsSync(join(folder, dirname(name), 'ticket')) })
  }

  async #reconcile(): Promise<void> {
    const listed = new Map((await this.#deps.terminals.list()).map(terminal => [terminal.id, terminal]))
    const live = await this.#live()
    // In turn with what is heard of their ends.
    await Promise.all(live.map(tab => this.#inTurn(tab.id, () => this.#find(tab, listed.get(tab.id)))))
    const known = new Set(live.map(({ id }) => id))
    // What no row lists as live was to end with an earlier hub. No caller waits for it.
    for (const { id, exit } of listed.values()) {
      const tabId = id as TabId
      if (!known.has(tabId)) this.#do(tabId, () => this.#clear(tabId, exit))
    }
  }

  async #clear(id: TabId, exit: TerminalExit | undefined): Promise<void> {
    if (!exit) await this.#deps.terminals.stop(id)
    await this.#deps.terminals.forget(id)
  }

  async #find(tab: Tab, terminal: ListedTerminal | undefined): Promise<void> {
    const { tabs, by, clock, log } = this.#deps
    const { id } = tab
    if (terminal && !terminal.exit) {
      this.#keep(await tabs.opened(id, terminal.record, true, by))
      log.info({ tab: id }, 'a tab was adopted')
      return
    }
    if (terminal?.exit) {
      const reason = tab.stopRequestedAt === null ? 'exited' : 'stopped'
      return this.#end(id, { reason, ...exitOf(terminal.exit) })
    }
    // Its host is gone, or never had it. By its mark we find whatever was started.
    if (tab.process) await stop(tab.process)
    const young = clock.steady() - tab.beganAt < RESUME_MS
    if (tab.openedAt === null && tab.stopRequestedAt === null && young) return this.#do(id, () => this.#launch(id))
    await this.#end(id, { reason: tab.stopRequestedAt === null ? 'lost' : 'stopped' })
  }
}

/** Undefined for what fails, or does not come: a host that hangs must not keep the hub from ending, which ends the host. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController()
  const late = sleep(END_MS, undefined, { signal: done.signal })
  const first = await Promise.race([work, late].map(one => one.catch(() => undefined)))
  done.abort()
  return first
}

async function leave({ postman, watch }: Kept): Promise<void> {
  await Promise.all([postman.dispose(), watch.dispose()])
}

function exitOf(exit: TerminalExit | undefined): { exitCode: number | null; exitSignal: string | null } {
  return { exitCode: exit?.code ?? null, exitSignal: exit?.signal ?? null }
}
