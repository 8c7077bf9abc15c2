const HIGH_WATER = 1024 * 1024
const LOW_WATER = 256 * 1024

/** Notes when a peer reads more slowly than we write, and when it has caught up. */
export class Congestion {
  readonly #unsent: () => number
  readonly #changed: (congested: boolean) => void
  #congested = false

  constructor(unsent: () => number, changed: (congested: boolean) => void) {
    this.#unsent = unsent
    this.#changed = changed
  }

  /** `write` calls back when the frame has left. */
  send(write: (flushed: () => void) => void): void {
    write(() => this.#flushed())
    if (this.#congested || this.#unsent() <= HIGH_WATER) return
    this.#congested = true
    this.#changed(true)
  }

  #flushed(): void {
    if (!this.#congested || this.#unsent() > LOW_WATER) return
    this.#congested = false
    this.#changed(false)
  }
}
