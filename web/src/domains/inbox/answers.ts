// Pure: which events are a person's answer to something that waited.
import type { StoredEvent } from '#contract/events.ts'

export const ANSWERED = ['answered'] as const

export const ANSWERS = ['task.answered', 'verdict.given', 'engine.resumed', 'project.trusted', 'inbox.seen'] as const

/** Newest first, as they came. An agent's verdict and a pause that ran out are no answers of a person. */
export function answeredSince(events: readonly StoredEvent[], since: number): StoredEvent[] {
  return events.filter(({ caller, at }) => /^operator(?::|$)/.test(caller) && Date.parse(at) >= since)
}
