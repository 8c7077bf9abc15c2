import type { Live } from '../../hub/live.ts'
import { MEMORY } from './queries.ts'

const changed: Live[string] = (_, { refetch }) => refetch(MEMORY)

export const live: Live = { 'topic.added': changed, 'entry.added': changed, 'decision.added': changed }
