// What crosses a process of the thread from a task to a merged change: snapshots, checks, evidence, reviews, merges.
import { z } from 'zod'
import { CheckName } from './check-name.ts'
import { error, errors, type Text } from './errors.ts'
import { eventType } from './events.ts'
import {
  AgentId,
  CommentId,
  EvidenceId,
  MergeId,
  ProjectId,
  PullId,
  ReviewId,
  RunId,
  SnapshotId,
  TabId,
  TaskId,
  VerdictId,
  WorktreeId,
} from './id-types.ts'

/** How often a task goes back to its agent because of failed checks before a person is asked. */
export const MOST_RETURNS = 3
/** How long the branch of a merged task is kept. */
export const BRANCH_DAYS = 14
/** New files of a snapshot may have so many bytes in all; what is beyond is held back. */
export const SNAPSHOT_BYTES = 50 * 1024 * 1024
/** As much of a check's output as agents and people are shown. */
export const TAIL_BYTES = 4000

/** `stale`: the tree changed while it ran, or the check itself changed it. */
const EVIDENCE_OUTCOMES = ['passed', 'failed', 'timed_out', 'stopped', 'stale', 'not_started'] as const
export const EvidenceOutcome = z.enum(EVIDENCE_OUTCOMES)
export type EvidenceOutcome = z.infer<typeof EvidenceOutcome>

const SNAPSHOT_CAUSES = ['report', 'end', 'asked'] as const
export const SnapshotCause = z.enum(SNAPSHOT_CAUSES)
export type SnapshotCause = z.infer<typeof SnapshotCause>

/**
 * A file that stays out of a snapshot. A person can let in what looks like a secret or is too large. `filter`: the repository names a
 * program that must convert it, and the hub runs none. `nested`: a repository of its own.
 */
export const HeldFile = z.object({
  path: z.string(),
  why: z.enum(['secret', 'size', 'filter', 'nested']),
  bytes: z.int(),
})
export type HeldFile = z.infer<typeof HeldFile>

/** A change that reviewers should not overlook. */
export const FlaggedFile = z.object({ path: z.string(), why: z.enum(['test', 'ci', 'lock']) })
export type FlaggedFile = z.infer<typeof FlaggedFile>

/** A verdict says at most so much, and has at most so many comments. */
export const SAID_CHARS = 20_000
export const MOST_COMMENTS = 200

export const Decision = z.enum(['accept', 'changes'])
export type Decision = z.infer<typeof Decision>

export const CheckView = z.object({
  project_id: ProjectId,
  name: CheckName,
  command: z.array(z.string()),
  required: z.boolean(),
  minutes: z.number(),
  /** Where it is named: in the operator's own list, or in the repository's configuration. */
  source: z.enum(['operator', 'repository']),
  trusted: z.boolean(),
})
export type CheckView = z.infer<typeof CheckView>

export const EvidenceView = z.object({
  evidence_id: EvidenceId,
  task_id: TaskId,
  snapshot_id: SnapshotId.nullable(),
  merge_id: MergeId.nullable(),
  check: z.string(),
  command: z.array(z.string()),
  required: z.boolean(),
  tree: z.string(),
  outcome: EvidenceOutcome.nullable().describe('null: it runs'),
  exit_code: z.int().nullable(),
  started_at: z.string(),
  duration_ms: z.int().nullable(),
  tail: z.string(),
  log_file: z.string().nullable(),
})
export type EvidenceView = z.infer<typeof EvidenceView>

export const SnapshotView = z.object({
  snapshot_id: SnapshotId,
  task_id: TaskId,
  cause: SnapshotCause,
  result: z.string().nullable(),
  summary: z.string().nullable(),
  at: z.string(),
  taken: z.boolean(),
  error: z.string().nullable(),
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  base_commit: z.string().nullable(),
  changed_files: z.int().nullable(),
  held: z.array(HeldFile),
  flagged: z.array(FlaggedFile),
})
export type SnapshotView = z.infer<typeof SnapshotView>

export const CommentView = z.object({
  comment_id: CommentId,
  task_id: TaskId,
  snapshot_id: SnapshotId.nullable(),
  path: z.string().nullable(),
  from_line: z.int().nullable(),
  to_line: z.int().nullable(),
  text: z.string(),
  by: z.string(),
  at: z.string(),
  /** Not sent yet: it goes out with the next verdict. */
  draft: z.boolean(),
  answer: z.string().nullable(),
})
export type CommentView = z.infer<typeof CommentView>

export const VerdictView = z.object({
  verdict_id: VerdictId,
  task_id: TaskId,
  snapshot_id: SnapshotId.nullable(),
  commit: z.string().nullable().describe('What was judged; null: it has no snapshot, or the verdict is older'),
  decision: Decision,
  summary: z.string().nullable(),
  by: z.string(),
  at: z.string(),
})
export type VerdictView = z.infer<typeof VerdictView>

/** An agent that was asked to review. */
export const ReviewView = z.object({
  review_id: ReviewId,
  task_id: TaskId,
  snapshot_id: SnapshotId,
  agent_id: AgentId,
  /** `policy`, or who asked for it. */
  asked_by: z.string(),
  asked_at: z.string(),
  run_id: RunId.nullable(),
  state: z
    .enum(['waiting', 'running', 'given', 'ended'])
    .describe('waiting: it is not started yet; given: its verdict is there; ended: without a verdict'),
  /** Why there is no verdict, and what to do; null while one may come. */
  problem: z.string().nullable(),
})
export type ReviewView = z.infer<typeof ReviewView>

/** A file that both sides changed, with what each made of it where that is text. */
export const Conflict = z.object({
  path: z.string(),
  kind: z.string(),
  ours: z.string().optional(),
  theirs: z.string().optional(),
})

/** Why a task came back to its agent. */
export const Returned = z.object({
  why: z.enum(['checks', 'changes', 'conflict']),
  summary: z.string().nullable(),
  base: z.string().optional().describe('It fails only together with this branch: merge that into yours'),
  conflicts: z.array(Conflict).optional().describe('`ours`: the base, `theirs`: your work'),
  checks: z
    .array(
      z.object({
        name: z.string(),
        command: z.array(z.string()),
        outcome: z.string(),
        exit_code: z.int().nullable(),
        tail: z.string(),
      }),
    )
    .optional(),
  comments: z
    .array(
      z.object({
        comment_id: z.string(),
        path: z.string().nullable(),
        lines: z.string().nullable(),
        text: z.string(),
      }),
    )
    .optional(),
})
export type Returned = z.infer<typeof Returned>

const MERGE_OUTCOMES = ['merged', 'conflict', 'failed', 'withdrawn'] as const
export const MergeOutcome = z.enum(MERGE_OUTCOMES)
export type MergeOutcome = z.infer<typeof MergeOutcome>

/** `behind`: others of the same base are merged first. `waiting`: for what `waits` says. */
export const MergeStep = z.enum(['behind', 'waiting', 'merging', 'checking'])
export type MergeStep = z.infer<typeof MergeStep>

export const MergeView = z.object({
  merge_id: MergeId,
  task_id: TaskId,
  handle: z.string(),
  title: z.string(),
  project_id: ProjectId,
  base: z.string(),
  position: z.int().nullable().describe('Its place in the queue, from 1; null: it has ended'),
  queued_at: z.string(),
  ended_at: z.string().nullable(),
  outcome: MergeOutcome.nullable(),
  commit: z.string().nullable(),
  /** What it waits for, in words; null: its turn. */
  waits: z.string().nullable(),
  step: MergeStep.nullable().describe('null: it has ended'),
})
export type MergeView = z.infer<typeof MergeView>

/** `begun`: it was taken out of the queue to be pushed, and no address was recorded. */
export const PullView = z.object({
  pull_id: PullId,
  task_id: TaskId,
  state: z.enum(['begun', 'open', 'merged', 'closed']),
  url: z.string().nullable(),
  remote: z.string(),
  branch: z.string(),
  base: z.string(),
  commit: z.string().describe('What was pushed last'),
  by: z.string(),
  at: z.string(),
  ended_at: z.string().nullable(),
})
export type PullView = z.infer<typeof PullView>

export const WorkspaceView = z.object({
  task_id: TaskId,
  worktree_id: WorktreeId,
  path: z.string(),
  branch: z.string(),
  base: z.string().nullable(),
  ports: z.object({ from: z.int(), to: z.int() }),
  /** Who works there now. */
  holder: z.string().nullable(),
  setup: z
    .string()
    .nullable()
    .describe('How preparing it stands: none, untrusted, pending, running, succeeded, failed'),
  setup_error: z.string().nullable(),
  released: z.boolean(),
})
export type WorkspaceView = z.infer<typeof WorkspaceView>

const UNAVAILABLE = {
  replaced: {
    en: 'the project does not ask it for reviews any more.',
    ja: 'プロジェクトのレビュー担当ではなくなりました。',
  },
  missing: { en: 'the agent was not found.', ja: 'このエージェントは存在しません。' },
  unassigned: {
    en: 'it is not assigned to the project. Assign it with `toryo project assign`, or name another reviewer.',
    ja: 'プロジェクトに割り当てられていません。`toryo project assign` で割り当てるか、別のレビュー担当を指定してください。',
  },
  disabled: {
    en: 'it is disabled. Enable it with `toryo agent enable`, or name another reviewer.',
    ja: '無効になっています。`toryo agent enable` で有効にするか、別のレビュー担当を指定してください。',
  },
}
const NOT_NEEDED = {
  merged: { en: 'is merged already', ja: 'マージ済みのため' },
  unchanged: { en: 'was reported without a change', ja: '変更のない報告のため' },
}
/** `lines`: both change the same lines. `conflict`: what both have now would not merge. */
export const OverlapKind = z.enum(['lines', 'conflict'])
export type OverlapKind = z.infer<typeof OverlapKind>

/** Who works there: the task of the workspace, and the tab that is open in it. */
export const OverlapSide = z.object({ handle: z.string().nullable(), tab_id: TabId.nullable() })
export type OverlapSide = z.infer<typeof OverlapSide>

/** As one side sees it. For information: it keeps nothing from going on. */
export const OverlapView = z.object({ with: OverlapSide, kind: OverlapKind, files: z.array(z.string()) })
export type OverlapView = z.infer<typeof OverlapView>

export const ThreadError = errors({
  WORKSPACE_BUSY: error('conflict', (p: { handle: string; holder: Text }) => ({
    en: `${p.holder.en} works in the workspace of ${p.handle}; one at a time does. Stop it, or wait for its end.`,
    ja: `${p.handle} のワークスペースでは ${p.holder.ja} が作業中です。同時に作業できるのは 1 つだけです。停止するか、終了を待ってください。`,
  })),
  NO_WORKSPACE: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} has no workspace: its project works in its own folder, or it was never started. \`toryo project edit --workspace task\` gives each task one.`,
    ja: `${p.handle} にはワークスペースがありません。プロジェクトのフォルダーで作業しているか、まだ開始されていません。\`toryo project edit --workspace task\` でタスクごとに作成できます。`,
  })),
  WORKSPACE_ELSEWHERE: error('conflict', (p: { handle: string; path: string }) => ({
    en: `The workspace of ${p.handle} belongs to another hub, in ${p.path}; work on it there.`,
    ja: `${p.handle} のワークスペースは別のハブのものです (${p.path})。そのハブで作業してください。`,
  })),
  CHECK_NOT_FOUND: error('not-found', (p: { name: string }) => ({
    en: `Check ${p.name} not found. Use \`toryo project check list\` to list them.`,
    ja: `チェック ${p.name} が見つかりません。\`toryo project check list\` で一覧を確認できます。`,
  })),
  CHECK_CHANGED: error('conflict', (p: { name: string; command: readonly string[] }) => ({
    en: `Check ${p.name} is not what was shown to you; nothing was trusted. Its command is now ${JSON.stringify(p.command)}.`,
    ja: `チェック ${p.name} は表示された内容から変わっているため、何も許可していません。現在のコマンド: ${JSON.stringify(p.command)}`,
  })),
  CHECK_EXISTS: error('conflict', (p: { name: string }) => ({
    en: `The project has a check ${p.name} already; remove it first, or choose another name.`,
    ja: `このプロジェクトには既にチェック ${p.name} があります。先に削除するか、別の名前を選んでください。`,
  })),
  NOTHING_TO_REVIEW: error('conflict', (p: { handle: string; stage: string }) => ({
    en: `${p.handle} is ${p.stage}: no reported work waits for a verdict.`,
    ja: `${p.handle} は ${p.stage} です。判定を待っている報告はありません。`,
  })),
  OWN_WORK: error('forbidden', (p: { handle: string }) => ({
    en: `An agent cannot accept its own work; another agent or a person must review ${p.handle}.`,
    ja: `自分の作業を自分で承認することはできません。${p.handle} は別のエージェントか人がレビューしてください。`,
  })),
  REVIEW_OUTDATED: error('conflict', (p: { handle: string }) => ({
    en: `The work of ${p.handle} has changed since it was looked at, so this verdict does not count. Look again: \`toryo task review ${p.handle}\`. An agent that was asked to review ends here; the new work is reviewed automatically.`,
    ja: `確認後に ${p.handle} の作業が変わったため、この判定は無効です。\`toryo task review ${p.handle}\` でもう一度確認してください。レビューを依頼されたエージェントはここで終了してください (新しい作業は別にレビューされます)。`,
  })),
  REVIEW_UNDER_WAY: error('conflict', (p: { handle: string; agent: string }) => ({
    en: `${p.agent} reviews ${p.handle} right now. Wait for its verdict, or end its run first with \`toryo run stop\`.`,
    ja: `${p.handle} は ${p.agent} がレビュー中です。判定を待つか、先に \`toryo run stop\` で実行を終了してください。`,
  })),
  REVIEWER_UNAVAILABLE: error('conflict', (p: { agent: string; why: keyof typeof UNAVAILABLE }) => ({
    en: `${p.agent} cannot review: ${UNAVAILABLE[p.why].en}`,
    ja: `${p.agent} はレビューできません。${UNAVAILABLE[p.why].ja}`,
  })),
  CHECKS_UNTRUSTED: error('conflict', (p: { handle: string; checks: string }) => ({
    en: `The branch of ${p.handle} names checks that are not trusted (${p.checks}), so no agent may accept it. Look at them and use \`toryo project check trust --task ${p.handle}\`, or review it yourself.`,
    ja: `${p.handle} のブランチに信頼されていないチェック (${p.checks}) があるため、エージェントは承認できません。内容を確認して \`toryo project check trust --task ${p.handle}\` を実行するか、ご自身でレビューしてください。`,
  })),
  NOT_ACCEPTED: error('conflict', (p: { handle: string; stage: string }) => ({
    en: `${p.handle} is ${p.stage} and not accepted; accept it first with \`toryo task review ${p.handle} --accept\`.`,
    ja: `${p.handle} は ${p.stage} で、まだ承認されていません。先に \`toryo task review ${p.handle} --accept\` で承認してください。`,
  })),
  SNAPSHOT_NOT_FOUND: error('not-found', (p: { snapshotId: string; handle: string }) => ({
    en: `${p.handle} has no snapshot ${p.snapshotId} with files. Use \`toryo task show ${p.handle}\` to list its snapshots.`,
    ja: `${p.handle} に、ファイルを含むスナップショット ${p.snapshotId} はありません。\`toryo task show ${p.handle}\` で一覧を確認できます。`,
  })),
  MERGE_NOT_FOUND: error('not-found', (p: { mergeId: string }) => ({
    en: `Merge ${p.mergeId} not found. Use \`toryo queue --ended\` to list merges.`,
    ja: `マージ ${p.mergeId} が見つかりません。\`toryo queue --ended\` で一覧を確認できます。`,
  })),
  PULL_OPEN: error('conflict', (p: { handle: string; url: string }) => ({
    en: `${p.handle} has a pull request, ${p.url}, so it is not merged here. Say how that ended first: \`toryo task pr ${p.handle} --merged\` or \`--closed\`.`,
    ja: `${p.handle} にはプルリクエスト ${p.url} があるため、ここではマージしません。先に \`toryo task pr ${p.handle} --merged\` または \`--closed\` で結果を記録してください。`,
  })),
  NO_PULL: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} has no open pull request. Open one with \`toryo task pr ${p.handle}\`, or record one with \`--opened\`.`,
    ja: `${p.handle} に未完了のプルリクエストはありません。\`toryo task pr ${p.handle}\` で作成するか、\`--opened\` で記録してください。`,
  })),
  PULL_NOT_NEEDED: error('conflict', (p: { handle: string; why: keyof typeof NOT_NEEDED }) => ({
    en: `${p.handle} ${NOT_NEEDED[p.why].en}, so there is nothing to open a pull request for.`,
    ja: `${p.handle} は${NOT_NEEDED[p.why].ja}、プルリクエストは不要です。`,
  })),
  EVIDENCE_NOT_FOUND: error('not-found', (p: { evidenceId: string }) => ({
    en: `Evidence ${p.evidenceId} not found. Use \`toryo task show\` to list the checks of a task.`,
    ja: `チェックの記録 ${p.evidenceId} が見つかりません。\`toryo task show\` でタスクのチェックを確認できます。`,
  })),
  NO_BASE: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} was not started from a branch, so there is none to merge it into. Name one with \`toryo project edit --base\` before its next start, or merge it yourself.`,
    ja: `${p.handle} はブランチから開始されていないため、マージ先がありません。次の開始前に \`toryo project edit --base\` でブランチを指定するか、手動でマージしてください。`,
  })),
  COMMENT_NOT_FOUND: error('not-found', (p: { commentId: string }) => ({
    en: `Comment ${p.commentId} not found. Use \`toryo task review\` to list the comments of a task.`,
    ja: `コメント ${p.commentId} が見つかりません。\`toryo task review\` でタスクのコメントを確認できます。`,
  })),
})

const task = z.object({ taskId: TaskId })
const touches = (p: { taskId: string }) => [`task://${p.taskId}`]
export const WorkspaceMade = eventType(
  'workspace.made',
  task.extend({ worktreeId: WorktreeId, branch: z.string() }),
  touches,
)
export const WorkspaceReleased = eventType('workspace.released', task.extend({ worktreeId: WorktreeId }), touches)
export const SnapshotTaken = eventType(
  'snapshot.taken',
  task.extend({ snapshotId: SnapshotId, cause: SnapshotCause, commit: z.string().nullable(), changedFiles: z.int() }),
  touches,
)
export const CheckAdded = eventType('check.added', z.object({ projectId: ProjectId, name: z.string() }))
export const CheckRemoved = eventType('check.removed', z.object({ projectId: ProjectId, name: z.string() }))
export const CheckTrusted = eventType('check.trusted', z.object({ projectId: ProjectId, name: z.string() }))
const check = task.extend({ evidenceId: EvidenceId, check: z.string() })
export const CheckStarted = eventType('check.started', check, touches)
export const CheckEnded = eventType('check.ended', check.extend({ outcome: EvidenceOutcome }), touches)
/** Every required check has passed on the current snapshot. */
export const TaskVerified = eventType('task.verified', task.extend({ snapshotId: SnapshotId }), touches)
/** It went back to its agent: failed checks, a verdict that wants changes, or a conflict. */
export const TaskReturned = eventType(
  'task.returned',
  task.extend({ why: z.enum(['checks', 'changes', 'conflict']), count: z.int() }),
  touches,
)
export const CommentAdded = eventType('comment.added', task.extend({ commentId: CommentId }), touches)
export const CommentAnswered = eventType('comment.answered', task.extend({ commentId: CommentId }), touches)
/** An agent is to review it, or was started to. */
export const ReviewAsked = eventType(
  'review.asked',
  task.extend({ reviewId: ReviewId, agentId: AgentId, snapshotId: SnapshotId }),
  touches,
)
export const ReviewStarted = eventType('review.started', task.extend({ reviewId: ReviewId, runId: RunId }), touches)
/** No verdict comes of it. */
export const ReviewFailed = eventType('review.failed', task.extend({ reviewId: ReviewId, reason: z.string() }), touches)
export const VerdictGiven = eventType(
  'verdict.given',
  task.extend({ verdictId: VerdictId, decision: Decision }),
  touches,
)
const merge = task.extend({ mergeId: MergeId })
export const MergeQueued = eventType('merge.queued', merge, touches)
export const MergeWaits = eventType('merge.waits', merge.extend({ reason: z.string() }), touches)
export const MergeEnded = eventType(
  'merge.ended',
  merge.extend({ outcome: MergeOutcome, commit: z.string().nullable() }),
  touches,
)
const pull = task.extend({ pullId: PullId })
/** A person is about to push it: it is not in the queue any more. */
export const PullBegun = eventType('pull.begun', pull.extend({ commit: z.string() }), touches)
export const PullOpened = eventType('pull.opened', pull.extend({ url: z.string(), commit: z.string() }), touches)
export const PullEnded = eventType('pull.ended', pull.extend({ outcome: z.enum(['merged', 'closed']) }), touches)
const side = z.object({ taskId: TaskId.nullable(), tabId: TabId.nullable() })
const overlap = z.object({ a: side, b: side, kind: OverlapKind })
const touchesBoth = ({ a, b }: Pick<z.infer<typeof overlap>, 'a' | 'b'>) =>
  [a, b].flatMap(({ taskId }) => (taskId === null ? [] : [`task://${taskId}`]))
/** Two that work at the same time touch the same lines, or would not merge. */
export const OverlapFound = eventType('overlap.found', overlap.extend({ files: z.array(z.string()) }), touchesBoth)
/** No longer, or one of them is not at work any more. */
export const OverlapGone = eventType('overlap.gone', overlap, touchesBoth)
