/** Wall time for what is stored, monotonic time for durations. Tests pass their own. */
export interface Clock {
  now(): number
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

const DAY_MS = 24 * 3600 * 1000
/** `2026-11-16T`, by the day's number. Most of what one answer tells happened on few days. */
const days = new Map<number, string>()
const DAYS = 1000

/** As `toISOString` has it, which costs more than anything else that is done to a time on the way of a call. */
export function iso(at: number): string {
  const day = Math.floor(at / DAY_MS)
  const ms = at - day * DAY_MS
  // Fractions, years of more than four digits and what is no time at all are left to the language.
  if (!Number.isInteger(ms) || day < 0 || day >= DAYS_TO_10000) return new Date(at).toISOString()
  let date = days.get(day)
  if (date === undefined) {
    if (days.size >= DAYS) days.clear()
    date = new Date(day * DAY_MS).toISOString().slice(0, 11)
    days.set(day, date)
  }
  const s = Math.floor(ms / 1000)
  return `${date}${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}.${three(ms % 1000)}Z`
}

const DAYS_TO_10000 = Date.UTC(10000, 0) / DAY_MS
const TWO = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
const THREE = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))
const two = (n: number): string => TWO[n] as string
const three = (n: number): string => THREE[n] as string
