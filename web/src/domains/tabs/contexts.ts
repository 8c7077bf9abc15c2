// Browsers keep about sixteen WebGL contexts and throw away the oldest, which would leave a terminal blank. So at most eight are used.
import { isUnloaded } from '../../parts/unloaded.ts'

/** What draws with a graphics context. */
export type Drawer = {
  /** Throws where the machine has none. */
  start(lost: () => void): Promise<{ dispose(): void }>
}

const MOST_CONTEXTS = 8

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

  /**
   * False: it goes on without. One that lost its context can ask again when it is shown next. `first`: somebody types there, and
   * the one that this was true of longest ago makes room.
   */
  async take(drawer: Drawer, first = false): Promise<boolean> {
    if (first) this.#makeRoomFor(drawer)
    if (!this.#works || this.#held.has(drawer) || this.#held.size >= this.#most) return this.#held.has(drawer)
    this.#held.set(drawer, undefined)
    try {
      const started = await drawer.start(() => this.give(drawer))
      // Hidden while it was loaded.
      if (!this.#held.has(drawer)) started.dispose()
      else this.#held.set(drawer, started)
      return this.#held.has(drawer)
    } catch (error) {
      // No WebGL 2 on this machine: none of the others will have it, and all draw with elements instead.
      if (!isUnloaded(error)) this.#works = false
      this.#held.delete(drawer)
      return false
    }
  }

  /** Held in the order in which they were used. */
  #makeRoomFor(drawer: Drawer): void {
    const started = this.#held.get(drawer)
    const [oldest] = this.#held.keys()
    if (this.#held.delete(drawer)) this.#held.set(drawer, started)
    else if (this.#works && oldest && this.#held.size >= this.#most) this.give(oldest)
  }

  /** The place is free for another. */
  give(drawer: Drawer): void {
    const started = this.#held.get(drawer)
    this.#held.delete(drawer)
    started?.dispose()
  }
}
