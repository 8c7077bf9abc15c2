/** Everything started is owned: what is added here is stopped in reverse, and one failure does not spare the rest. */
export class Scope {
  readonly #disposers: { name: string; dispose: () => unknown }[] = []
  readonly #onError: (name: string, error: unknown) => void
  #stopping: string | undefined

  constructor(onError: (name: string, error: unknown) => void) {
    this.#onError = onError
  }

  add(name: string, dispose: () => unknown): void {
    this.#disposers.push({ name, dispose })
  }

  /** The part that is being stopped now. */
  get stopping(): string | undefined {
    return this.#stopping
  }

  async dispose(): Promise<void> {
    for (let last = this.#disposers.pop(); last; last = this.#disposers.pop()) {
      this.#stopping = last.name
      try {
        await last.dispose()
      } catch (error) {
        this.#onError(last.name, error)
      }
    }
    this.#stopping = undefined
  }
}
