// Without zod: the dashboard's bundle has them, too.

export const INBOX_KINDS = [
  'blocked',
  'tab_waits',
  'run_failed',
  'review',
  'undo_failed',
  'untrusted',
  'command',
  'engine_paused',
  'not_startable',
  'no_agent',
  'no_runner',
  'disk_low',
  'handoff',
  'message_failed',
  'overlap',
  'decision_replaced',
  'crew_ended',
  'phase_ended',
] as const
export type InboxKind = (typeof INBOX_KINDS)[number]
