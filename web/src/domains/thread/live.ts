import type { Live } from '../../hub/live.ts'
import { reviewKey } from './queries.ts'

/** A review that is open shows the work as it is now. */
const changed: Live[string] = ({ payload }, { refetch }) => {
  const { taskId } = payload as { taskId?: string }
  if (taskId !== undefined) refetch(reviewKey(taskId))
}

const TYPES = [
  ...['snapshot.taken', 'check.started', 'check.ended', 'task.verified', 'task.returned', 'task.moved'],
  ...['comment.added', 'comment.answered', 'verdict.given', 'review.asked', 'review.started', 'review.failed'],
  ...['merge.queued', 'merge.ended'],
]

export const live: Live = Object.fromEntries(TYPES.map(type => [type, changed]))
