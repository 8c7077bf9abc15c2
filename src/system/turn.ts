import { setImmediate } from 'node:timers/promises'

const TURN_MS = 4

/** Lets others work whenever we have worked for a few milliseconds. */
export class Turn {
  #since = performance.now()

  async over(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return
    await setImmediate()
    this.#since = performance.now()
  }
}
