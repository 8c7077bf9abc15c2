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
  'task.deleted',
  'task.restored',
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
  // What an item is called, whom it holds up, and whether it is still anybody's.
  ...['task.added', 'task.edited', 'task.linked', 'task.unlinked', 'task.nested', 'merge.ended', 'run.settled'],
  ...['project.edited', 'project.archived', 'project.activated', 'project.agent_assigned', 'project.agent_unassigned'],
  ...['agent.edited', 'agent.enabled', 'agent.disabled', 'runner.added', 'runner.revoked', 'config.changed'],
  ...['check.added', 'check.edited', 'check.removed', 'check.trusted', 'worktree.setup_trusted'],
]

export const live: Live = Object.fromEntries(TYPES.map(type => [type, changed]))
