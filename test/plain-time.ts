import { systemClock } from '#kernel/clock.ts'
import type { HubMoment, HubTime } from '#kernel/hub-time.ts'

/** A hub's time for parts that are tested without a hub, and in which nothing jumps. */
export const plainTime: HubTime = {
  ...systemClock,
  steady: () => Date.now() as HubMoment,
  settledFor: () => systemClock.awake(),
  observed: () => performance.now(),
}
