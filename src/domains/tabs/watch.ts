// Looks at one tab every second and tells what changed. A change that does not last until the next look is none.
import type { Caller } from '#contract/caller.ts'
import type { TabStatus } from '#contract/tabs.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { isReady, type Sight, statusOf, type Tab } from './model.ts'
import type { Engines } from './ports.ts'
import type { Tabs } from './service.ts'

export type WatchDeps = {
  tabs: Pick<Tabs, 'seen'>
  engines: Pick<Engines, 'knows'>
  /** Undefined: there is nothing to see. */
  sight: () => Promise<Sight | undefined>
  clock: Clock
  log: Log
  /** The hub acting by itself. */
  by: Caller
}

const WATCH_MS = 1000

export class Watch {
  readonly #deps: WatchDeps
  #tab: Tab
  #status: TabStatus = 'starting'
  #candidate: TabStatus | undefined
  #timer: NodeJS.Timeout
  #looking: Promise<void> = Promise.resolve()
  #gone = false

  constructor(deps: WatchDeps, tab: Tab) {
    this.#deps = deps
    this.#tab = tab
    this.#timer = setTimeout(() => this.#next(), WATCH_MS / 4)
  }

  dispose(): Promise<void> {
    this.#gone = true
    clearTimeout(this.#timer)
    return this.#looking
  }

  #next(): void {
    this.#looking = this.#look().then(() => {
      if (!this.#gone) this.#timer = setTimeout(() => this.#next(), WATCH_MS)
    })
  }

  async #look(): Promise<void> {
    const { tabs, engines, sight: look, clock, by, log } = this.#deps
    const sight = await look()
    if (sight === undefined || this.#gone) return
    const tab = this.#tab
    const now = clock.now()
    const ready = isReady(sight, { known: engines.knows(tab.engine), openMs: now - (tab.openedAt ?? 0) })
    const status = statusOf({ ...tab, readyAt: tab.readyAt ?? (ready ? now : null) }, sight)
    const before = this.#candidate
    this.#candidate = status
    if (status === this.#status || (before !== status && this.#status !== 'starting')) return
    try {
      this.#tab = await tabs.seen(tab.id, status, by)
      this.#status = status
    } catch (error) {
      log.warn({ err: error, tab: tab.id }, 'a change of a tab could not be stored; it is tried again')
    }
  }
}
