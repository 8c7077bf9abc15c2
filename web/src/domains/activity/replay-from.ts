import type { StoredEvent } from '#contract/events.ts'

/** With the shortest recording that has it. */
export const replayFrom = ({ seq, at }: Pick<StoredEvent, 'seq' | 'at'>) => `/replay?at=${seq}&span=${spanOf(at)}`

function spanOf(at: string): 'hour' | 'day' | 'week' {
  const age = Date.now() - Date.parse(at)
  return age < 3_500_000 ? 'hour' : age < 86_000_000 ? 'day' : 'week'
}
