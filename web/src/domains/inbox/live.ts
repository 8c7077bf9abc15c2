import type { Live } from '../../hub/live.ts'
import { ANSWERED, ANSWERS } from './answers.ts'
import { INBOX } from './queries.ts'

/** The list is derived from many facts: the hub works it out again. */
const changed: Live[string] = ({ type }, { refetch }) => {
  refetch(INBOX)
  if ((ANSWERS as readonly string[]).includes(type)) refetch(ANSWERED)
}

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
  'handoff.created',
  'handoff.accepted',
  'message.undeliverable',
  'message.queued',
  'overlap.found',
  'overlap.gone',
  'decision.added',
  'task.decision_superseded',
  'plan.ended',
  'group:deleted',
  'phase.ended',
]

export const live: Live = Object.fromEntries(TYPES.map(type => [type, changed]))
