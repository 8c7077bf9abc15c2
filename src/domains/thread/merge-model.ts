// The rules of the merge queue: what an entry is, and what is said of it.
import type { Text } from '#contract/errors.ts'
import type { MergeId, ProjectId, SnapshotId, TaskId } from '#contract/id-types.ts'
import { type MergeMethod, ProjectError, type Stage } from '#contract/projects.ts'
import type { MergeKind, MergeOutcome } from '#contract/thread.ts'
import type { Blocked, CheckRemark, MergeNeeds } from '#contract/why.ts'
import { iso } from '#kernel/clock.ts'
import type { Waits } from '#kernel/git/base.ts'
import type { Conflict } from '#kernel/git/conflicts.ts'

export type Merge = {
  id: MergeId
  kind: MergeKind
  /** The entry that it takes back; null: of a plain merge. */
  undoes: MergeId | null
  taskId: TaskId
  projectId: ProjectId
  snapshotId: SnapshotId
  /** The repository's git folder. */
  repository: string
  baseRef: string
  method: MergeMethod
  queuedAt: number
  baseBefore: string | null
  commit: string | null
  tree: string | null
  waits: MergeNeeds | null
  endedAt: number | null
  outcome: MergeOutcome | null
  details: Details
}

export type Details = {
  /** What the base was when it did not merge, and the files. */
  base?: string
  conflicts?: Conflict[]
  /** The check that failed on the merged tree. */
  check?: string
  /** It could not even be started, and why. */
  unable?: boolean
  remark?: CheckRemark | null
  /** The machine whose clone has it, named as its hub's Runner is. */
  machine?: string
  /** The commit that it was reviewed on, and that the base does not have. */
  lacks?: string
}

/** As long as the task is as it was when the entry was made; otherwise it is taken out. */
export function isWanted({ kind }: Pick<Merge, 'kind'>, stage: Stage): boolean {
  if (kind === 'merge') return stage === 'queued'
  return kind === 'undo' ? stage === 'merged' : isLeftByUndo(stage)
}

/** A task whose merge was undone is not begun again before a person says so, who may also call it done without. */
export function isLeftByUndo(stage: Stage): boolean {
  return stage === 'planned' || stage === 'waiting' || stage === 'done'
}

/** What a person deleted is merged no more, and takes nothing out again. */
export function mustBeThere({ handle, deletedAt }: { handle: string; deletedAt: number | null }): void {
  if (deletedAt !== null) throw ProjectError.TASK_DELETED({ handle, at: iso(deletedAt) })
}

export function baseName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

type Work = { handle: string; title: string; summary: string | null; method: MergeMethod }

/** The trailer is how a commit is found by its task. */
export function messageOf({ handle, title, summary, method }: Work): string {
  const line = title.replace(/\s+/g, ' ').trim()
  const subject = method === 'merge' ? `Merge ${handle}: ${line}` : line
  const body = summary?.trim() ? `${summary.trim()}\n\n` : ''
  return `${subject}\n\n${body}Toryo-Task: ${handle}\n`
}

/** As git words it. `subject`: of the commit that was merged. */
export function undoMessageOf(kind: MergeKind, subject: string, commit: string, handle: string): string {
  const verb = kind === 'undo' ? 'Revert' : 'Reapply'
  const what = kind === 'undo' ? 'This reverts commit' : 'This reverts the revert'
  return `${verb} "${subject}"\n\n${what} ${commit}.\n\nToryo-Task: ${handle}\n`
}

const SHOWN = 5

/** What a base that could not move waits for. */
export function needsOf(waits: Exclude<Waits, { waits: 'moved' | 'unsure' }>, base: string): MergeNeeds {
  const { path } = waits
  if (waits.waits === 'dirty')
    return { kind: 'dirty', base, path, files: waits.files.slice(0, SHOWN), more: waits.files.length > SHOWN }
  if (waits.waits === 'locked' && waits.operation !== undefined)
    return { kind: 'operation', base, path, operation: waits.operation }
  return { kind: waits.waits, base, path }
}

/** Why its task is for a person, after so many entries in vain. */
export function blockedBy({ id, baseRef, outcome, details }: Merge, count: number): Blocked {
  const [base, check] = [baseName(baseRef), details.check ?? '']
  if (details.unable) return { kind: 'merge-check-not-started', base, merge: id, check, remark: details.remark ?? null }
  if (outcome !== 'conflict') return { kind: 'merge-check-failed', base, merge: id, check, count }
  const files = (details.conflicts ?? []).slice(0, SHOWN).map(({ path }) => path)
  return { kind: 'conflicts', base, merge: id, count, files }
}

/** Of work that was reported again after that. */
export const didNotMergeBefore = (base: string, files: readonly string[]): Text => ({
  en: `Before this report it did not merge with ${base} (${files.slice(0, SHOWN).join(', ')}).`,
  ja: `前回の報告は ${base} とマージできませんでした (${files.slice(0, SHOWN).join(', ')})。`,
})

/** A person asked for it. `commit`: what was to be taken back. */
export function whyNotUndone({ kind, baseRef, details }: Merge, commit: string): Text {
  const [base, short] = [baseName(baseRef), commit.slice(0, 9)]
  const what =
    kind === 'undo'
      ? {
          en: `Its merge (${short}) was not taken out of ${base}`,
          ja: `マージ (${short}) を ${base} から取り消せませんでした`,
        }
      : { en: `Its merge was not brought back into ${base}`, ja: `マージを ${base} に戻せませんでした` }
  if (details.lacks !== undefined)
    return {
      en: `${what.en}: ${base} does not have ${short} any more, as after a reset. There is nothing to undo.`,
      ja: `${what.ja}。${base} に ${short} がありません (reset など)。取り消す必要はありません。`,
    }
  if (details.check !== undefined) {
    const how = details.unable
      ? { en: 'could not be started', ja: 'を開始できませんでした' }
      : { en: 'failed on the files as they would be', ja: 'が取り消し後のファイルで失敗しました' }
    return {
      en: `${what.en}: check ${details.check} ${how.en}. ${base} is as it was. Fix that and try again, or leave it.`,
      ja: `${what.ja}。チェック ${details.check} ${how.ja}。${base} は変わっていません。原因を直してやり直すか、そのままにしてください。`,
    }
  }
  const files = (details.conflicts ?? []).slice(0, SHOWN).map(({ path }) => path)
  return {
    en: `${what.en}: it has changed since in ${files.join(', ')}. ${base} is as it was. Undo it manually (\`git revert\`), or leave it.`,
    ja: `${what.ja}。その後の変更と競合しています: ${files.join('、')}。${base} は変わっていません。手動で取り消すか (\`git revert\`)、そのままにしてください。`,
  }
}

export const waitsBehind = (handle: string): Text => ({
  en: `${handle} is merged first.`,
  ja: `${handle} が先にマージされます。`,
})

/** Thrown where a merge cannot go on before a person does something about it. */
export class CannotGoOn extends Error {
  readonly needs: MergeNeeds

  constructor(needs: MergeNeeds) {
    super(needs.kind)
    this.name = 'CannotGoOn'
    this.needs = needs
  }
}
