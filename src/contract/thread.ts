// What crosses a process of the thread from a task to a merged change: snapshots, checks, evidence, reviews, merges. Its refusals are in
// thread-errors.ts, its events in thread-events.ts.
import { z } from 'zod'
import { CheckName } from './check-name.ts'
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
import { Stage } from './projects.ts'

/** How often a task goes back to its agent because of failed checks before a person is asked. */
export const MOST_RETURNS = 3
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
 * program that must convert it, and the hub runs none. `nested`: a repository of its own, or a submodule with work that is not committed and
 * pushed there. `closed`: a file or folder that the hub is not allowed to read.
 */
export const HeldFile = z.object({
  path: z.string(),
  why: z.enum(['secret', 'size', 'filter', 'nested', 'closed']),
  bytes: z.int(),
})
export type HeldFile = z.infer<typeof HeldFile>

/** A change that reviewers should not overlook. `check`: it decides what the project's checks run, or how. */
export const FlaggedFile = z.object({ path: z.string(), why: z.enum(['check', 'test', 'ci', 'lock']) })
export type FlaggedFile = z.infer<typeof FlaggedFile>

/** A verdict says at most so much, and has at most so many comments. */
export const SAID_CHARS = 20_000
export const MOST_COMMENTS = 200

export const Decision = z.enum(['accept', 'changes'])
export type Decision = z.infer<typeof Decision>

/** A workspace may hold files that are not in the tree: what passed there proves nothing of the tree alone. */
export const RanIn = z.enum(['workspace', 'clean_checkout'])
export type RanIn = z.infer<typeof RanIn>

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
  ran_in: RanIn.describe('Only a clean checkout of the merged files decides about a merge'),
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
  base: z
    .string()
    .optional()
    .describe(
      'It failed on the files merged with this branch, in a clean checkout: merge that into yours, and commit what is missing',
    ),
  conflicts: z.array(Conflict).optional().describe('`ours`: the base, `theirs`: your work'),
  checks: z
    .array(
      z.object({
        name: z.string(),
        command: z.array(z.string()),
        ran_in: RanIn,
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

/** `undo`: takes a merge of the task out of the base again. `redo`: takes that back. */
const MERGE_KINDS = ['merge', 'undo', 'redo'] as const
export const MergeKind = z.enum(MERGE_KINDS)
export type MergeKind = z.infer<typeof MergeKind>

/** `behind`: others of the same base are merged first. `waiting`: for what `waits` says. */
export const MergeStep = z.enum(['behind', 'waiting', 'merging', 'checking'])
export type MergeStep = z.infer<typeof MergeStep>

export const MergeView = z.object({
  merge_id: MergeId,
  kind: MergeKind.describe('undo: it takes a merge of the task out of the base; redo: it brings that back'),
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
  files: z.array(z.string()).describe('Of a conflict: where'),
  check: z.string().nullable().describe('The check that failed on the merged files'),
  stage: Stage.describe('Where the task stands now'),
  agent_id: AgentId.nullable().describe('Whose work it is'),
  merged_on: z
    .object({ machine: z.string().nullable(), folder: z.string() })
    .nullable()
    .default(null)
    .describe('Which clone has it, where the project has more than one'),
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

/** `lines`: both change the same lines. `conflict`: what both have now would not merge. */
export const OverlapKind = z.enum(['lines', 'conflict'])
export type OverlapKind = z.infer<typeof OverlapKind>

/** Who works there: the task of the workspace, and the tab that is open in it. */
export const OverlapSide = z.object({ handle: z.string().nullable(), tab_id: TabId.nullable() })
export type OverlapSide = z.infer<typeof OverlapSide>

/** As one side sees it. For information: it keeps nothing from going on. */
export const OverlapView = z.object({ with: OverlapSide, kind: OverlapKind, files: z.array(z.string()) })
export type OverlapView = z.infer<typeof OverlapView>
