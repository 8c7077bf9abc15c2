import type { Lang } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import type { CheckView, CommentView, EvidenceView, SnapshotView, VerdictView } from '#contract/thread.ts'
import { remarkText } from '#contract/why-text.ts'
import { iso } from '#kernel/clock.ts'
import { type Comment, type Evidence, type PlannedCheck, ranIn, type Snapshot, type Verdict } from './model.ts'

export function checkView(projectId: ProjectId, check: PlannedCheck): CheckView {
  const { name, command, required, minutes, source, trusted } = check
  return { project_id: projectId, name, command: [...command], required, minutes, source, trusted }
}

export function snapshotView(snapshot: Snapshot, lang: Lang): SnapshotView {
  return {
    snapshot_id: snapshot.id,
    task_id: snapshot.taskId,
    cause: snapshot.cause,
    result: snapshot.result,
    summary: snapshot.summary,
    at: iso(snapshot.at),
    taken: snapshot.takenAt !== null,
    error: snapshot.error && snapshot.error[lang],
    commit: snapshot.commit,
    tree: snapshot.tree,
    base_commit: snapshot.baseCommit,
    changed_files: snapshot.changedFiles,
    held: [...snapshot.held],
    flagged: [...snapshot.flagged],
  }
}

export function evidenceView(evidence: Evidence, lang: Lang): EvidenceView {
  return {
    evidence_id: evidence.id,
    task_id: evidence.taskId,
    snapshot_id: evidence.snapshotId,
    merge_id: evidence.mergeId,
    check: evidence.name,
    command: [...evidence.command],
    required: evidence.required,
    tree: evidence.tree,
    ran_in: ranIn(evidence),
    outcome: evidence.outcome,
    exit_code: evidence.exitCode,
    started_at: iso(evidence.startedAt),
    duration_ms: evidence.durationMs,
    tail: tailIn(lang, evidence),
    log_file: evidence.logPath,
  }
}

/** What it wrote last, and what the hub says besides. */
export function tailIn(lang: Lang, { tail, remark }: Pick<Evidence, 'tail' | 'remark'>): string {
  return remark === null ? tail : `${tail}\n${remarkText(remark)[lang]}`.trim()
}

export function commentView(comment: Comment): CommentView {
  return {
    comment_id: comment.id,
    task_id: comment.taskId,
    snapshot_id: comment.snapshotId,
    path: comment.path,
    from_line: comment.from,
    to_line: comment.to,
    text: comment.text,
    by: comment.author,
    at: iso(comment.at),
    draft: comment.verdictId === null,
    answer: comment.answer,
  }
}

export function verdictView(verdict: Verdict): VerdictView {
  const { id, taskId, snapshotId, commit, decision, summary, author, at } = verdict
  return {
    verdict_id: id,
    task_id: taskId,
    snapshot_id: snapshotId,
    commit,
    decision,
    summary,
    by: author,
    at: iso(at),
  }
}
