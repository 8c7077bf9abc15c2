// What one hub remembers between calls: when it gave out which prompt, the prompts that phases in
// progress keep, and where projects were found.
import type { ProjectId } from '#contract/id-types.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Place } from '#kernel/paths.ts'
import type { NewPrompt, Prompt } from './model.ts'

const ENTRIES = 512

export class Shelf {
  readonly #deps: { clock: Clock; ttlMs: () => number }
  readonly #given = new Map<string, { fetchedAt: number; since: number }>()
  readonly #kept = new Map<string, Prompt>()
  readonly #places = new Map<string, ProjectId>()

  constructor(deps: { clock: Clock; ttlMs: () => number }) {
    this.#deps = deps
  }

  /** An answer is cached when the same prompt was given out within the cache time. */
  give({ source, phase, language, version, sha256 }: NewPrompt): { cached: boolean; fetchedAt: number } {
    const { clock, ttlMs } = this.#deps
    const key = [source, phase, language, version, sha256].join(' ')
    const before = this.#given.get(key)
    if (before && clock.monotonic() - before.since < ttlMs()) return { cached: true, fetchedAt: before.fetchedAt }
    const fetchedAt = clock.now()
    remember(this.#given, key, { fetchedAt, since: clock.monotonic() })
    return { cached: false, fetchedAt }
  }

  /** The project that was last found at this place: a guess that saves waiting, to be checked by its user. */
  lastAt(place: Place): ProjectId | undefined {
    return this.#places.get(place.real)
  }

  was(place: Place, projectId: ProjectId): void {
    remember(this.#places, place.real, projectId)
  }

  /** What a phase keeps never changes, so it is read once. Not for use inside a transaction that may yet fail. */
  async kept(key: string, load: () => Promise<Prompt | undefined>): Promise<Prompt | undefined> {
    const known = this.#kept.get(key)
    if (known) return known
    const prompt = await load()
    if (prompt) remember(this.#kept, key, prompt)
    return prompt
  }
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > ENTRIES && oldest !== undefined) map.delete(oldest)
}
