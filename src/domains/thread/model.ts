import type { Text } from '#contract/errors.ts'
import type {
  AgentId,
  CommentId,
  EvidenceId,
  MergeId,
  ProjectId,
  ReviewId,
  RunId,
  SnapshotId,
  TaskId,
  VerdictId,
  WorktreeId,
} from '#contract/id-types.ts'
import type { Decision, EvidenceOutcome, FlaggedFile, HeldFile, RanIn, SnapshotCause } from '#contract/thread.ts'
import { MOST_RETURNS } from '#contract/thread.ts'
import type { CheckRemark } from '#contract/why.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'

export type Check = {
  name: string
  command: readonly string[]
  required: boolean
  minutes: number
  /** Who names it: the operator, or the repository's configuration. */
  source: 'operator' | 'repository'
}

/** A check as it stands for one folder. */
export type PlannedCheck = Check & { trusted: boolean }

export type Snapshot = {
  id: SnapshotId
  taskId: TaskId
  projectId: ProjectId
  worktreeId: WorktreeId | null
  cause: SnapshotCause
  runId: RunId | null
  result: string | null
  summary: string | null
  at: number
  takenAt: number | null
  /** Why it could not be taken. */
  error: Text | null
  commit: string | null
  tree: string | null
  baseCommit: string | null
  changedFiles: number | null
  held: readonly HeldFile[]
  flagged: readonly FlaggedFile[]
  cites: readonly string[]
  /** By whom its commits are, as git names them. */
  authors: readonly string[]
  /** Held back by rule, and let in by a person. */
  included: readonly string[]
  /** From then on the hub has nothing more to do about it on its own. */
  settledAt: number | null
}

/** The same report, of files that are still to be read. */
export function readAgain(snapshot: Snapshot, id: SnapshotId): Snapshot {
  return { ...snapshot, ...NOT_TAKEN, id }
}

export const NOT_TAKEN = {
  takenAt: null,
  error: null,
  commit: null,
  tree: null,
  baseCommit: null,
  changedFiles: null,
  held: [],
  flagged: [],
  authors: [],
  settledAt: null,
}

export type Evidence = {
  id: EvidenceId
  taskId: TaskId
  projectId: ProjectId
  snapshotId: SnapshotId | null
  mergeId: MergeId | null
  name: string
  command: readonly string[]
  required: boolean
  tree: string
  place: string
  process: ProcessRecord | null
  startedAt: number
  beganAt: number
  endedAt: number | null
  durationMs: number | null
  outcome: EvidenceOutcome | null
  exitCode: number | null
  /** The end of what it wrote, and what the hub has to say besides. */
  tail: string
  remark: CheckRemark | null
  logPath: string | null
}

export type Comment = {
  id: CommentId
  taskId: TaskId
  snapshotId: SnapshotId | null
  path: string | null
  from: number | null
  to: number | null
  text: string
  author: string
  at: number
  verdictId: VerdictId | null
  answer: string | null
  answeredAt: number | null
}

/** Who gives a verdict, or asks for one, because the project says so. */
export const POLICY = 'policy'

/** An agent that was asked to review. */
export type AskedReview = {
  id: ReviewId
  taskId: TaskId
  projectId: ProjectId
  snapshotId: SnapshotId
  agentId: AgentId
  /** `policy`, or who asked. */
  askedBy: string
  at: number
  /** Null: not started. */
  runId: RunId | null
  /** Why no run was started. */
  problem: Text | null
  verdictId: VerdictId | null
  /** From then on the hub has nothing more to do about it. */
  settledAt: number | null
}

export type Verdict = {
  id: VerdictId
  taskId: TaskId
  snapshotId: SnapshotId | null
  /** What was judged. */
  commit: string | null
  decision: Decision
  summary: string | null
  author: string
  at: number
}

/**
 * What is stored runs, where somebody has looked at it on this machine (`seen`: name → command), whatever a branch says: leaving a check out of the configuration does not get rid of it. What the branch names
 * with another command is not run before a person has looked at it; it stays required if it was.
 */
export function planChecks(
  stored: readonly Check[],
  proposed: readonly Check[],
  seen: ReadonlyMap<string, readonly string[]>,
): PlannedCheck[] {
  const wanted = new Map(proposed.map(check => [check.name, check]))
  const known = stored.map((check): PlannedCheck => {
    const said = wanted.get(check.name)
    wanted.delete(check.name)
    if (check.source === 'operator' || !said || sameCommand(check.command, said.command))
      return { ...check, trusted: sameCommand(seen.get(check.name) ?? [], check.command) }
    return { ...said, required: said.required || check.required, trusted: false }
  })
  return [...known, ...[...wanted.values()].map(check => ({ ...check, trusted: false }))]
}

function sameCommand(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** What a merge relies on comes from a checkout with nothing in it but the tree and what setup makes. */
export function ranIn({ mergeId }: Pick<Evidence, 'mergeId'>): RanIn {
  return mergeId === null ? 'workspace' : 'clean_checkout'
}

/** One that was cut off is run again; all other ends count. */
export function counts({ endedAt, outcome }: Pick<Evidence, 'endedAt' | 'outcome'>): boolean {
  return endedAt !== null && outcome !== 'stopped'
}

/** The newest that counts of each check, on this tree and with this command. */
export function evidenceFor(
  checks: readonly Check[],
  evidence: readonly Evidence[],
  tree: string,
): { check: Check; evidence: Evidence | undefined }[] {
  return checks.map(check => ({
    check,
    evidence: evidence
      .filter(one => one.name === check.name && one.tree === tree && sameCommand(one.command, check.command))
      .findLast(counts),
  }))
}

/** The fourth failure in a row is for a person; the person who sends the task back after that grants as many again. */
export function isTooMany(failures: number): boolean {
  return failures % (MOST_RETURNS + 1) === 0
}
