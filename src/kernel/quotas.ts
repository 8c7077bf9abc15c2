// Owns how much each account may still ask for: calls and written bytes a minute (token buckets), and calls under way at once.
// Knows no caller: the transports say on whose account a call goes.
import { CoreError, type HubError } from '#contract/errors.ts'
import type { Clock } from './clock.ts'

export type QuotaLimits = { readonly callsPerMinute: number; readonly writeMegabytesPerMinute: number }

/** What was taken out of the buckets, not what is left: limits may change under it, and an idle account is all zeros. */
type Account = { calls: number; bytes: number; at: number; underWay: number }

const MINUTE_MS = 60_000
const MEGABYTE = 1024 * 1024
/** Answers that one account may wait for at once. What waits is held in memory. */
export const CALLS_AT_ONCE = 1024
/** Rows that every write leaves, however small its text: an event, a stored answer. */
const ROW_BYTES = 256
const SWEEP_AT = 1000

export class Quotas {
  readonly #limits: () => QuotaLimits
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #accounts = new Map<string, Account>()
  #sweepAt = SWEEP_AT

  constructor(limits: () => QuotaLimits, clock: Pick<Clock, 'monotonic'>) {
    this.#limits = limits
    this.#clock = clock
  }

  /** How many accounts are remembered. */
  get size(): number {
    return this.#accounts.size
  }

  /** Takes one call. Undefined: it may go on, and must `leave` at its end. */
  enter(name: string): HubError | undefined {
    const account = this.#account(name)
    if (account.underWay >= CALLS_AT_ONCE)
      return CoreError.QUOTA_EXCEEDED({ quota: 'waiting', limit: CALLS_AT_ONCE, retryAfterMs: 1000 })
    const limit = this.#limits().callsPerMinute
    const retryAfterMs = overdraft(account.calls + 1, limit)
    if (retryAfterMs > 0) return CoreError.QUOTA_EXCEEDED({ quota: 'calls', limit, retryAfterMs })
    account.calls++
    account.underWay++
    return undefined
  }

  leave(name: string): void {
    const account = this.#accounts.get(name)
    if (account) account.underWay--
  }

  /** Takes what a write is about to store. */
  write(name: string, bytes: number): HubError | undefined {
    const account = this.#account(name)
    const limit = this.#limits().writeMegabytesPerMinute
    const spent = account.bytes + bytes + ROW_BYTES
    // One that alone is over the whole limit would wait for ever: it may have the full bucket.
    const retryAfterMs = account.bytes === 0 ? 0 : overdraft(spent, limit * MEGABYTE)
    if (retryAfterMs > 0) return CoreError.QUOTA_EXCEEDED({ quota: 'bytes', limit, retryAfterMs })
    account.bytes = spent
    return undefined
  }

  #account(name: string): Account {
    const now = this.#clock.monotonic()
    let account = this.#accounts.get(name)
    if (account) {
      this.#refill(account, now)
      return account
    }
    if (this.#accounts.size >= this.#sweepAt) this.#sweep(now)
    account = { calls: 0, bytes: 0, at: now, underWay: 0 }
    this.#accounts.set(name, account)
    return account
  }

  #refill(account: Account, now: number): void {
    const minutes = (now - account.at) / MINUTE_MS
    if (minutes <= 0) return
    const { callsPerMinute, writeMegabytesPerMinute } = this.#limits()
    account.calls = Math.max(0, account.calls - minutes * callsPerMinute)
    account.bytes = Math.max(0, account.bytes - minutes * writeMegabytesPerMinute * MEGABYTE)
    account.at = now
  }

  /** A client that opens connection after connection leaves an account behind each time. */
  #sweep(now: number): void {
    for (const [name, account] of this.#accounts) {
      this.#refill(account, now)
      if (account.calls === 0 && account.bytes === 0 && account.underWay === 0) this.#accounts.delete(name)
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#accounts.size)
  }
}

/** How long until the bucket has refilled so far that `spent` fits; 0 when it fits now. */
function overdraft(spent: number, limit: number): number {
  return spent <= limit ? 0 : Math.ceil(((spent - limit) / limit) * MINUTE_MS)
}
