// Tasks that others added while this page was open. Those that this page adds are no news to it.
import { createStore } from '../../hub/store.ts'

export const fresh = createStore<ReadonlySet<string>>(new Set())
const own = new Set<string>()

export function cameIn(id: string): void {
  if (!own.has(id)) fresh.set(before => new Set(before).add(id))
}

/** The event may have come before the answer. */
export function isOwn(id: string): void {
  own.add(id)
  fresh.set(before => (before.has(id) ? new Set([...before].filter(one => one !== id)) : before))
}

export const allSeen = (): void => fresh.set(before => (before.size === 0 ? before : new Set()))
