import type { EventNames, StoredEvent } from '#contract/events.ts'
import { whoOf } from './model.ts'
import type { ActivityWords } from './words.ts'

/** What no person does: the hub does it by itself, with the operator's rights. */
const BY_HUB: ReadonlySet<string> = new Set([
  ...['snapshot.taken', 'check.started', 'check.ended', 'task.verified', 'task.ready', 'merge.waits', 'merge.ended'],
  ...['overlap.found', 'overlap.gone', 'run.settled', 'memory.index_rebuilt', 'worktree.purged'],
])

/** Who acted, as people would say it. */
export function whoIs(caller: string, names: EventNames, words: ActivityWords): string {
  const { kind, name, on, branch } = whoOf(caller, names)
  if (kind === 'runner' && on !== undefined) return words.runnerOn(on)
  if (kind === 'runner' && name !== undefined) return words.runner(name)
  if (name !== undefined && branch !== undefined) return words.inTab(name, branch)
  return name ?? words.kinds[kind] ?? kind
}

/** The same for one event. */
export function whoDid({ type, caller }: StoredEvent, names: EventNames, words: ActivityWords): string {
  return caller === 'operator' && BY_HUB.has(type) ? words.hub : whoIs(caller, names, words)
}
