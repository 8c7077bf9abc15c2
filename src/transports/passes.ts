// What opens the hub's Unix socket to the operator's token. Of a Unix socket Node cannot say which process is at the other end, so a
// client asks for a pass at the port, where the hub sees which process asks.
import { randomBytes } from 'node:crypto'

/** Long enough for a client on a busy machine to walk from one door to the other. */
const LIFE_MS = 30_000
/** Those that are given and never shown must not fill the memory. */
const MOST = 1024

export class Passes {
  readonly #given = new Map<string, number>()

  give(): string {
    const now = performance.now()
    for (const [pass, until] of this.#given) {
      if (until > now && this.#given.size < MOST) break
      this.#given.delete(pass)
    }
    const pass = randomBytes(32).toString('base64url')
    this.#given.set(pass, now + LIFE_MS)
    return pass
  }

  /** True once. */
  take(pass: string): boolean {
    const until = this.#given.get(pass)
    this.#given.delete(pass)
    return until !== undefined && until > performance.now()
  }
}
