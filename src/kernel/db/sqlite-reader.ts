// The reading connection. Locking the log for a read and finding its end costs a third of what a cheap call costs the hub, so one read
// leaves that to those that follow shortly after: until something is committed, which our own writer announces, or for a moment.
import { Sqlite, type SqlValue } from './sqlite-port.ts'

/** For so long a commit of another program may stay unseen. No hub writes to this file but ours. */
const FRESH_MS = 1
/** After so long without a read, other connections may tidy the log. */
const IDLE_MS = 100

export class SqliteReader extends Sqlite {
  #heldAt = Number.NEGATIVE_INFINITY
  #idle: NodeJS.Timeout | undefined

  override all(sql: string, values?: readonly unknown[]): Record<string, SqlValue>[] {
    const now = performance.now()
    if (now - this.#heldAt > FRESH_MS) {
      this.release()
      this.hold()
      this.#heldAt = now
      this.#idle ??= setTimeout(() => this.release(), IDLE_MS).unref()
    }
    try {
      return super.all(sql, values)
    } catch (error) {
      this.release()
      throw error
    }
  }

  /** The next read sees all that is committed by then. Call it before each commit, which cannot tidy the log beside a reader. */
  release(): void {
    clearTimeout(this.#idle)
    this.#idle = undefined
    if (this.#heldAt === Number.NEGATIVE_INFINITY) return
    this.#heldAt = Number.NEGATIVE_INFINITY
    this.letGo()
  }

  override close(): void {
    this.release()
    super.close()
  }
}
