/** One at a time for each name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const mine = before.then(task, task)
    const settled = mine.catch(() => {}) // The caller gets the error.
    this.#last.set(name, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name)
    }
  }

  async idle(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
