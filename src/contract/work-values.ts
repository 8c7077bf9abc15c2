export const WORK_KINDS = ['run', 'execution', 'instance', 'tab'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** `reported`: it has said how it went and has not ended. `waiting`: for a person. */
export const WORK_STATUSES = [
  'queued',
  'starting',
  'running',
  'waiting',
  'idle',
  'reported',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
] as const
export type WorkStatus = (typeof WORK_STATUSES)[number]
