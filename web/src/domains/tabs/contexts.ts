// Browsers keep about sixteen WebGL contexts and throw away the oldest, which would leave a terminal blank. So at most eight are used.

/** What draws with a graphics context. */
export type Drawer = {
  /** Throws where the machine has none. */
  start(lost: () => void): Promise<{ dispose(): void }>
}

export const MOST_CONTEXTS = 8

export class Contexts {
  readonly #most: number
  readonly #held = new Map<Drawer, { dispose(): void } | undefined>()
  #works = true

  constructor(most = MOST_CONTEXTS) {
    this.#most = most
  }

  get size(): number {
    return this.#held.size
  }

  /** False: it goes on without. One that lost its context can ask again when it is shown next. */
  async take(drawer: Drawer): Promise<boolean> {
    if (!this.#works || this.#held.has(drawer) || this.#held.size >= this.#most) return this.#held.has(drawer)
    this.#held.set(drawer, undefined)
    try {
      const started = await drawer.start(() => this.give(drawer))
      // Hidden while it was loaded.
      if (!this.#held.has(drawer)) started.dispose()
      else this.#held.set(drawer, started)
      return this.#held.has(drawer)
    } catch {
      // No WebGL 2 on this machine: none of the others will have it, and all draw with elements instead.
      this.#works = false
      this.#held.delete(drawer)
      return false
    }
  }

  /** The place is free for another. */
  give(drawer: Drawer): void {
    const started = this.#held.get(drawer)
    this.#held.delete(drawer)
    started?.dispose()
  }
}
