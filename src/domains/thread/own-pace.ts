/** A step that is done again and again, one at a time, at its own pace: the caller does not wait for it. */
export class OwnPace {
  readonly #step: () => Promise<boolean>
  readonly #deps: Deps
  #running: Promise<void> | undefined
  #again = false

  /** `step` answers whether it has changed something. */
  constructor(step: () => Promise<boolean>, deps: Deps) {
    this.#step = step
    this.#deps = deps
  }

  /** Settles when the step that runs now has ended. */
  get ended(): Promise<void> {
    return this.#running ?? Promise.resolve()
  }

  kick(): void {
    // What is asked for meanwhile may be what it has just passed by.
    this.#again = this.#running !== undefined
    this.#running ??= this.#step()
      .catch((error: unknown) => {
        this.#deps.failed(error)
        return false
      })
      .then(did => {
        this.#running = undefined
        if (did) this.#deps.moved()
        else if (this.#again && !this.#deps.gone.aborted) this.kick()
      })
  }
}

type Deps = { gone: AbortSignal; moved(): void; failed(error: unknown): void }
