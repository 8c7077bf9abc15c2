import { bootId } from '#system/processes.ts'

/** What the machine knows of time. None of these is right for a stored deadline: that is hub-time.ts. Tests pass their own. */
export interface Clock {
  /** The wall clock: for people and for history. It may be set at any moment, ahead or back. */
  now(): number
  /** Since the machine started, without its sleep. It cannot be set, and all processes of one boot share it. */
  monotonic(): number
  /** As `monotonic`, without the time in which this process was stopped (Ctrl-Z). To be called often: a gap is a stop. */
  awake(): number
  /** Names the run of the machine within which `monotonic` can be compared. */
  boot(): string
}

/** A process that looks every second and finds so much more gone by did not run meanwhile. */
export const STOPPED_MS = 15_000

/** `performance.now()` counts from the start of the process; that start is put on the machine's own scale once. */
const ORIGIN = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now()

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => ORIGIN + performance.now(),
  awake: awakeTime(() => performance.now()),
  boot: () => bootId(),
}

/** Of a clock that went on while we were stopped, the time in which we were not. */
export function awakeTime(monotonic: () => number): () => number {
  let seen = monotonic()
  let awake = 0
  return () => {
    const now = monotonic()
    const passed = now - seen
    awake += passed > STOPPED_MS ? 0 : passed
    seen = now
    return awake
  }
}

const DAY_MS = 24 * 3600 * 1000
/** `2026-11-16T`, by the day's number. One answer usually covers few days. */
const days = new Map<number, string>()
const DAYS = 1000

/** As `toISOString` has it, which costs more than anything else that is done to a time on the way of a call. */
export function iso(at: number): string {
  const day = Math.floor(at / DAY_MS)
  const ms = at - day * DAY_MS
  // Fractions, years of more than four digits and invalid times are left to the language.
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
