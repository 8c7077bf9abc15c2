// Every event is shown here: the newest number that came is what the view follows.
import type { StoredEvent } from '#contract/events.ts'
import { createStore } from '../../hub/store.ts'
import type { LiveContext } from '../../hub/live.ts'

/** Here, so that what is loaded at first brings nothing of the view along. */
export const DAILY = ['stats', 'daily'] as const

/** The newest event that this page heard of. */
export const heard = createStore(0)

/** After a resync the numbers may be those of another database. */
export function forgetHeard(): void {
  heard.set(0)
}

const COUNTED = /^run\.(?:started|ended|settled)$/

export function hear(events: readonly StoredEvent[], { refetch }: LiveContext): void {
  const newest = events.at(-1)
  if (newest) heard.set(before => Math.max(before, newest.seq))
  if (events.some(({ type }) => COUNTED.test(type))) refetch(DAILY)
}
