// When what has failed is tried again. Each row of a queue is put off on its own, later and later, so that one which never works
// takes no time from the others and no turn of theirs.
import type { Clock } from './clock.ts'

const FIRST_MS = 5000
const LAST_MS = 10 * 60_000
/** What is gone is not asked about any more; it must not be remembered for ever. */
const MOST = 10_000

export class Retries<Id> {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #failed = new Map<Id, { count: number; notBefore: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Does it for those that are due. An error puts off the one that it is about; all others have their turn. */
  async each<Row>(
    rows: readonly Row[],
    idOf: (row: Row) => Id,
    act: (row: Row) => Promise<void>,
    failed: (error: unknown, row: Row, count: number) => void | Promise<void>,
  ): Promise<void> {
    for (const row of rows) {
      const id = idOf(row)
      if (!this.isDue(id)) continue
      try {
        await act(row)
        this.passed(id)
      } catch (error) {
        await failed(error, row, this.failed(id))
      }
    }
  }

  isDue(id: Id): boolean {
    const failed = this.#failed.get(id)
    return failed === undefined || this.#clock.monotonic() >= failed.notBefore
  }

  /** Those that are put off for now. */
  waiting(): Id[] {
    return [...this.#failed.keys()].filter(id => !this.isDue(id))
  }

  /** Answers how many times in a row. */
  failed(id: Id): number {
    const count = (this.#failed.get(id)?.count ?? 0) + 1
    this.#failed.delete(id)
    this.#failed.set(id, {
      count,
      notBefore: this.#clock.monotonic() + Math.min(FIRST_MS * 2 ** (count - 1), LAST_MS),
    })
    const [oldest] = this.#failed.keys()
    if (this.#failed.size > MOST && oldest !== undefined) this.#failed.delete(oldest)
    return count
  }

  passed(id: Id): void {
    this.#failed.delete(id)
  }
}
