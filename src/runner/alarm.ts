import { setTimeout as sleep } from 'node:timers/promises'

/** What wakes comes in swarms: the others of the swarm get this long to arrive. */
const SWARM_MS = 150

/** A nap that ends when the time is up, or soon after it rings, also when it rang before the nap. */
export class Alarm {
  #rung = new AbortController()

  ring(): void {
    this.#rung.abort()
  }

  async nap(ms: number, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.#rung.signal, stop])
    await sleep(ms, undefined, { signal }).catch(() => {}) // Woken early.
    if (!this.#rung.signal.aborted || stop.aborted) return
    await sleep(SWARM_MS, undefined, { signal: stop }).catch(() => {}) // Woken to end.
    this.#rung = new AbortController()
  }
}
