// Which ids an event holds: what one can ask for all that happened to.
import type { StoredEvent } from '#contract/events.ts'
import { RunProgressed } from '#contract/runs.ts'

/** Fields that hold ids: `taskId`, `runIds`, and these. */
const NAMED = /^(?:dependsOn|startedFor|supersedes|supersededBy)$|Ids?$/
/** Agents that give and take, in events of this kind alone: elsewhere these are states. */
const HANDOFF = /^(?:from|to|by)$/
/** Of entries in memory: nothing can be asked about them, and their numbers would be taken for topics and decisions. */
const UNNAMED = /^(?:entryId|logId)$/

export function subjectIds({ type, payload }: Pick<StoredEvent, 'type' | 'payload'>): string[] {
  // It goes again, and nothing would take its rows out of the index.
  if (type === RunProgressed.type) return []
  const isHandoff = type.startsWith('handoff.')
  const ids: string[] = []
  const collect = (value: unknown, isId: boolean): void => {
    if (isId && (typeof value === 'string' || typeof value === 'number')) ids.push(String(value))
    else if (Array.isArray(value)) for (const one of value) collect(one, isId)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        if (!UNNAMED.test(name)) collect(inner, NAMED.test(name) || (isHandoff && HANDOFF.test(name)))
  }
  collect(payload, false)
  return ids
}
