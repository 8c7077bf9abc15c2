// What the runs of a crew did last. It is in their logs, which the hub reads when it is asked; so it is asked when a run has done
// something, and for all runs at once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './connect.ts'

/** Several events come at once; one look shows them all. */
const SETTLE_MS = 300

export class LastActions {
  readonly #hub: Pick<Connection, 'call'>
  readonly #crewId: string
  readonly #signal: AbortSignal
  readonly #show: (actions: ReadonlyMap<string, string>) => void
  #isDue = false

  constructor(
    hub: Pick<Connection, 'call'>,
    crewId: string,
    signal: AbortSignal,
    show: (actions: ReadonlyMap<string, string>) => void,
  ) {
    this.#hub = hub
    this.#crewId = crewId
    this.#signal = signal
    this.#show = show
  }

  /** Something was done since the last look. */
  stale(): void {
    if (this.#isDue) return
    this.#isDue = true
    void this.#look().catch(() => {}) // Aborted, or the hub is being replaced: the next news says more.
  }

  async #look(): Promise<void> {
    const signal = this.#signal
    await sleep(SETTLE_MS, undefined, { signal })
    // What is done from now on may not be in the answer.
    this.#isDue = false
    const { work } = await this.#hub.call('work.list', { crew_id: this.#crewId }, { signal })
    const actions = work.flatMap(one => (one.last_action === null ? [] : [[one.work_id, one.last_action] as const]))
    if (!signal.aborted) this.#show(new Map(actions))
  }
}
