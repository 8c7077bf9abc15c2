/** What a connection watches: the address that events name, and those by which it asked for it. */
export class Watched {
  readonly #asked = new Map<string, Set<string>>()

  add(uri: string, asked: string): void {
    const before = this.#asked.get(uri)
    if (before) before.add(asked)
    else this.#asked.set(uri, new Set([asked]))
  }

  delete(asked: string): void {
    for (const [uri, all] of this.#asked) if (all.delete(asked) && all.size === 0) this.#asked.delete(uri)
  }

  askedFor(uri: string): Iterable<string> {
    return this.#asked.get(uri) ?? []
  }

  *all(): Iterable<string> {
    for (const asked of this.#asked.values()) yield* asked
  }
}
