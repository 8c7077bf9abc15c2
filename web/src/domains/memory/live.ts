import type { Live } from '../../hub/live.ts'
import { MEMORY } from './queries.ts'

const changed: Live[string] = (_, { refetch }) => refetch(MEMORY)

/** An agent took a task: it was told what that follows. */
const told: Live[string] = (_, { refetch }) => refetch([...MEMORY, 'decision'])

export const live: Live = {
  ...{ 'topic.added': changed, 'entry.added': changed, 'decision.added': changed, 'run.taken': told },
}
