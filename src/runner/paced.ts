/** Sends at once, and then with a pause between two sends, as long as there is something new. What fails goes with the next. */
export class Paced {
  readonly #pauseMs: number
  readonly #tell: () => Promise<void>
  #isFresh = false
  #isOver = false
  #isTelling = false
  #timer: NodeJS.Timeout | undefined

  constructor(pauseMs: number, tell: () => Promise<void>) {
    this.#pauseMs = pauseMs
    this.#tell = tell
  }

  heard(): void {
    this.#isFresh = true
    if (this.#timer || this.#isTelling || this.#isOver) return
    void this.#say()
  }

  dispose(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  async #say(): Promise<void> {
    this.#isFresh = false
    this.#isTelling = true
    try {
      await this.#tell()
    } catch {
      this.#isFresh = true // The hub is away, or an older one; the end is reported in any case.
    }
    this.#isTelling = false
    if (this.#isOver) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isFresh) void this.#say()
    }, this.#pauseMs)
    this.#timer.unref()
  }
}
