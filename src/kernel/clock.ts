/** Wall time for what is stored, monotonic time for durations. Tests pass their own. */
export interface Clock {
  now(): number
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
