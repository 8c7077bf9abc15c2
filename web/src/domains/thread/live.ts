import type { Live } from '../../hub/live.ts'
import { mergesKey, reviewKey } from './queries.ts'

/** A review that is open shows the work as it is now. */
const changed: Live[string] = ({ payload }, { refetch }) => {
  const { taskId } = payload as { taskId?: string }
  if (taskId !== undefined) refetch(reviewKey(taskId))
}

/** The queue moved, or the checks on the merged files of its first. */
const moved: Live[string] = (event, context) => {
  changed(event, context)
  context.refetch(mergesKey)
}

const TYPES = [
  ...['snapshot.asked', 'snapshot.taken', 'task.verified', 'task.returned', 'task.moved'],
  ...['comment.added', 'comment.answered', 'verdict.given', 'review.asked', 'review.started', 'review.failed'],
]
const OF_QUEUE = ['check.started', 'check.ended', 'merge.queued', 'merge.waits', 'merge.ended']

export const live: Live = {
  ...Object.fromEntries(TYPES.map(type => [type, changed])),
  ...Object.fromEntries(OF_QUEUE.map(type => [type, moved])),
}
