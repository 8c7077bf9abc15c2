// The time limits that the Runner itself sets for its instances, by a clock that does not jump.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#kernel/log.ts'
import type { Instance } from './instance.ts'
import type { Pace } from './pace.ts'

type Deps = {
  pace: Pick<Pace, 'letGoMs' | 'graceMs' | 'signInMs'>
  instances: () => readonly Instance[]
  log: Log
  /** This process was suspended: the hub must be asked before anything is ended. */
  woke: () => void
  stopping: AbortSignal
}

export class Limits {
  readonly #deps: Deps
  /** When we last went on after a stop of our own, and when the last question to the hub began that has an outcome. */
  #wokeAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The hub was asked about the instances at this moment, and has answered or failed to. */
  asked(at: number): void {
    this.#askedAt = at
  }

  async watch(): Promise<void> {
    const { pace, instances, stopping } = this.#deps
    const { letGoMs, graceMs, signInMs } = pace
    let looked = performance.now()
    while (!stopping.aborted) {
      const now = performance.now()
      if (now - looked > letGoMs / 4) this.#wake(now, now - looked)
      looked = now
      // After a stop of our own (Ctrl-Z) the hub is asked first: it alone knows whose our instances are by now.
      const hasAsked = this.#askedAt > this.#wokeAt
      for (const instance of instances()) {
        if (hasAsked && now - instance.heldAt > letGoMs) void instance.stop('stopped', 'hub-away')
        if (instance.leftAt !== undefined && now - instance.leftAt > graceMs) void instance.stop('stopped', 'lingered')
        if (instance.state === 'starting' && now - instance.startedAt > signInMs)
          void instance.stop('no-sign-in', 'no-sign-in')
      }
      await sleep(Math.min(1000, letGoMs / 4, graceMs / 4 + 10), undefined, { signal: stopping }).catch(
        () => {}, // Woken to end.
      )
    }
  }

  /** This process was suspended for so long; that time does not count against the instances. */
  #wake(now: number, ms: number): void {
    const { instances, log, woke } = this.#deps
    this.#wokeAt = now
    for (const instance of instances()) instance.postpone(ms)
    log.info({ ms: Math.round(ms), instances: instances().length }, 'the Runner was stopped for a while')
    woke()
  }
}
