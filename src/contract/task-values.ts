// Without zod: the dashboard's bundle has them, too.

export const TASK_STATUSES = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const

/** Most urgent first. */
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const

/** Where a task is on its way from a plan to a merged change: derived from its status and the facts beside it. */
export const STAGES = [
  'planned',
  'waiting',
  'working',
  'blocked',
  'checking',
  'review',
  'queued',
  'merged',
  'done',
  'cancelled',
] as const
