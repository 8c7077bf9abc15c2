// Looks at one tab every second, at first more often, and reports what changed. A change that does not last until the next look does not count.
import type { Caller } from '#contract/caller.ts'
import type { TabStatus } from '#contract/tabs.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Log } from '#kernel/log.ts'
import { isReady, type Sight, statusOf, type Tab } from './model.ts'
import type { TabEngines } from './ports.ts'
import type { Tabs } from './service.ts'

export type WatchDeps = {
  tabs: Pick<Tabs, 'seen'>
  engines: Pick<TabEngines, 'knows'>
  /** Undefined: there is nothing to see. Does not throw. */
  sight: () => Promise<Sight | undefined>
  clock: Clock
  log: Log
  /** The hub acting on its own. */
  by: Caller
}

const WATCH_MS = 1000
/** At first more often, since a launch waits for the first sign of life. */
const FIRST_MS = 100
const FIRST_LOOKS = 20

export class Watch {
  readonly #deps: WatchDeps
  #tab: Tab
  #status: TabStatus = 'starting'
  #candidate: TabStatus | undefined
  #timer: NodeJS.Timeout
  #storing: Promise<void> = Promise.resolve()
  #looks = 0
  #gone = false
  /** One that an earlier hub opened may have been open for longer; whether it was ready then is in its row. */
  readonly #since: number

  constructor(deps: WatchDeps, tab: Tab) {
    this.#deps = deps
    this.#tab = tab
    this.#since = deps.clock.monotonic()
    this.#timer = setTimeout(() => void this.#next(), FIRST_MS)
  }

  /** Waits for what is being written; a look that is still awaited leads to nothing any more. */
  dispose(): Promise<void> {
    this.#gone = true
    clearTimeout(this.#timer)
    return this.#storing
  }

  async #next(): Promise<void> {
    const sight = await this.#deps.sight()
    if (this.#gone) return
    if (sight !== undefined) this.#storing = this.#note(sight)
    await this.#storing
    if (this.#gone) return
    const soon = this.#status === 'starting' && ++this.#looks < FIRST_LOOKS
    this.#timer = setTimeout(() => void this.#next(), soon ? FIRST_MS : WATCH_MS)
  }

  async #note(sight: Sight): Promise<void> {
    const { tabs, engines, clock, by, log } = this.#deps
    const tab = this.#tab
    const openMs = clock.monotonic() - this.#since
    const ready = isReady(sight, { known: engines.knows(tab.engine), openMs })
    const status = statusOf({ ...tab, readyAt: tab.readyAt ?? (ready ? clock.now() : null) }, sight)
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
