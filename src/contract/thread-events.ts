// What happens on the thread from a task to a merged change.
import { z } from 'zod'
import { MergeNeeds, Refusal } from './why.ts'
import { eventType } from './events.ts'
import * as Id from './id-types.ts'
import { SnapshotCause, EvidenceOutcome, Decision, MergeKind, MergeOutcome, OverlapKind } from './thread.ts'

const task = z.object({ taskId: Id.TaskId })
const touches = (p: { taskId: string }) => [`task://${p.taskId}`]
export const WorkspaceMade = eventType(
  'workspace.made',
  task.extend({ worktreeId: Id.WorktreeId, branch: z.string() }),
  touches,
)
export const WorkspaceReleased = eventType('workspace.released', task.extend({ worktreeId: Id.WorktreeId }), touches)
export const SnapshotTaken = eventType(
  'snapshot.taken',
  task.extend({
    snapshotId: Id.SnapshotId,
    cause: SnapshotCause,
    commit: z.string().nullable(),
    changedFiles: z.int(),
  }),
  touches,
)
/** A person has the same report read again, from the files as they are now. */
export const SnapshotAsked = eventType('snapshot.asked', task.extend({ snapshotId: Id.SnapshotId }), touches)
export const CheckAdded = eventType('check.added', z.object({ projectId: Id.ProjectId, name: z.string() }))
export const CheckEdited = eventType('check.edited', z.object({ projectId: Id.ProjectId, name: z.string() }))
export const CheckRemoved = eventType('check.removed', z.object({ projectId: Id.ProjectId, name: z.string() }))
export const CheckTrusted = eventType('check.trusted', z.object({ projectId: Id.ProjectId, name: z.string() }))
const check = task.extend({ evidenceId: Id.EvidenceId, check: z.string() })
export const CheckStarted = eventType('check.started', check, touches)
export const CheckEnded = eventType('check.ended', check.extend({ outcome: EvidenceOutcome }), touches)
/** Every required check has passed on the current snapshot. */
export const TaskVerified = eventType('task.verified', task.extend({ snapshotId: Id.SnapshotId }), touches)
/** It went back to its agent: failed checks, a verdict that wants changes, or a conflict. */
export const TaskReturned = eventType(
  'task.returned',
  task.extend({ why: z.enum(['checks', 'changes', 'conflict']), count: z.int() }),
  touches,
)
export const CommentAdded = eventType('comment.added', task.extend({ commentId: Id.CommentId }), touches)
export const CommentAnswered = eventType('comment.answered', task.extend({ commentId: Id.CommentId }), touches)
/** An agent is to review it, or was started to. */
export const ReviewAsked = eventType(
  'review.asked',
  task.extend({ reviewId: Id.ReviewId, agentId: Id.AgentId, snapshotId: Id.SnapshotId }),
  touches,
)
export const ReviewStarted = eventType(
  'review.started',
  task.extend({ reviewId: Id.ReviewId, runId: Id.RunId }),
  touches,
)
/** No verdict comes of it. */
export const ReviewFailed = eventType(
  'review.failed',
  task.extend({ reviewId: Id.ReviewId, reason: z.string(), refusal: Refusal.optional() }),
  touches,
)
export const VerdictGiven = eventType(
  'verdict.given',
  task.extend({ verdictId: Id.VerdictId, decision: Decision }),
  touches,
)
/** `kind`: left out of a plain merge. */
const merge = task.extend({ mergeId: Id.MergeId, kind: MergeKind.optional() })
export const MergeQueued = eventType('merge.queued', merge, touches)
export const MergeWaits = eventType(
  'merge.waits',
  merge.extend({ reason: z.string(), needs: MergeNeeds.optional() }),
  touches,
)
export const MergeEnded = eventType(
  'merge.ended',
  merge.extend({ outcome: MergeOutcome, commit: z.string().nullable() }),
  touches,
)
const pull = task.extend({ pullId: Id.PullId })
/** A person is about to push it: it is not in the queue any more. */
export const PullBegun = eventType('pull.begun', pull.extend({ commit: z.string() }), touches)
export const PullOpened = eventType('pull.opened', pull.extend({ url: z.string(), commit: z.string() }), touches)
export const PullEnded = eventType('pull.ended', pull.extend({ outcome: z.enum(['merged', 'closed']) }), touches)
const side = z.object({ taskId: Id.TaskId.nullable(), tabId: Id.TabId.nullable() })
const overlap = z.object({ a: side, b: side, kind: OverlapKind })
const touchesBoth = ({ a, b }: Pick<z.infer<typeof overlap>, 'a' | 'b'>) =>
  [a, b].flatMap(({ taskId }) => (taskId === null ? [] : [`task://${taskId}`]))
/** Two that work at the same time touch the same lines, or would not merge. */
export const OverlapFound = eventType('overlap.found', overlap.extend({ files: z.array(z.string()) }), touchesBoth)
/** No longer, or one of them is not at work any more. */
export const OverlapGone = eventType('overlap.gone', overlap, touchesBoth)
