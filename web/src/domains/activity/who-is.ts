import type { EventNames } from '#contract/events.ts'
import { whoOf } from './model.ts'
import type { ActivityWords } from './words.ts'

/** Who acted, as people would say it. */
export function whoIs(caller: string, names: EventNames, words: ActivityWords): string {
  const { kind, name, on, branch } = whoOf(caller, names)
  if (kind === 'runner' && on !== undefined) return words.runnerOn(on)
  if (kind === 'runner' && name !== undefined) return words.runner(name)
  if (name !== undefined && branch !== undefined) return words.inTab(name, branch)
  return name ?? words.kinds[kind] ?? kind
}
