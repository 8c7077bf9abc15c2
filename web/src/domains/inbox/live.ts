import type { Live } from '../../hub/live.ts'
import { INBOX } from './queries.ts'

/** The list is derived from many facts: the hub works it out again. */
const changed: Live[string] = (_, { refetch }) => refetch(INBOX)

const TYPES = [
  'task.moved',
  'task.assigned',
  'task.answered',
  'task.verified',
  'task.returned',
  'verdict.given',
  'merge.queued',
  'run.ended',
  'tab.created',
  'tab.status_changed',
  'tab.ended',
  'engine.paused',
  'engine.resumed',
  'project.trusted',
  'project.start_refused',
  'inbox.seen',
  'inbox.snoozed',
]

export const live: Live = Object.fromEntries(TYPES.map(type => [type, changed]))
