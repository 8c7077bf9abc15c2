// The rules of the merge queue: what an entry is, and what is said of it.
import type { Text } from '#contract/errors.ts'
import type { MergeId, ProjectId, SnapshotId, TaskId } from '#contract/id-types.ts'
import type { MergeMethod, Stage } from '#contract/projects.ts'
import type { MergeKind, MergeOutcome } from '#contract/thread.ts'
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
  waits: Text | null
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
  tail?: string
  /** It could not even be started. */
  unable?: boolean
  /** The commit that it was reviewed on, and that the base does not have. */
  lacks?: string
}

/** As long as the task is as it was when the entry was made; otherwise it is taken out. */
export function isWanted({ kind }: Pick<Merge, 'kind'>, stage: Stage): boolean {
  if (kind === 'merge') return stage === 'queued'
  return kind === 'undo' ? stage === 'merged' : isLeftByUndo(stage)
}

/** A task whose merge was undone is not begun again before a person says so. */
export function isLeftByUndo(stage: Stage): boolean {
  return stage === 'planned' || stage === 'waiting'
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

/** What a merge waits for, and what to do about it. */
export function waitsFor(waits: Exclude<Waits, { waits: 'moved' | 'unsure' }>, base: string): Text {
  if (waits.waits === 'dirty') {
    const { path } = waits
    const files = waits.files.slice(0, SHOWN).join(', ')
    const more = waits.files.length > SHOWN
    return {
      en: `${base} is checked out in ${path}, where these files have changes that the merge would overwrite: ${files}${more ? ', …' : ''}. Commit, stash or remove them; the merge then goes on.`,
      ja: `${base} は ${path} でチェックアウトされており、マージで上書きされるファイルに未保存の変更があります: ${files}${more ? ' ほか' : ''}。コミット、stash、または削除するとマージが再開します。`,
    }
  }
  if (waits.waits === 'gone')
    return {
      en: `${base} is checked out in a folder that cannot be found from ${waits.path}, and must not move without it. Say where it is with \`git --git-dir=${waits.path} config core.worktree <folder>\`; the merge then goes on.`,
      ja: `${base} がチェックアウトされているフォルダーを ${waits.path} から特定できないため、マージできません。\`git --git-dir=${waits.path} config core.worktree <フォルダー>\` で場所を設定するとマージが再開します。`,
    }
  if (waits.waits === 'unclear')
    return {
      en: `It cannot be told which branch is checked out where ${waits.path}/HEAD belongs to, and ${base} must not move under a checkout. Replace that HEAD by a file that says \`ref: refs/heads/<branch>\`; the merge then goes on.`,
      ja: `${waits.path}/HEAD からチェックアウト中のブランチを判別できません。チェックアウト中のまま ${base} だけが進むことのないよう待機しています。この HEAD を \`ref: refs/heads/<ブランチ>\` と書いたファイルに置き換えると、マージが再開します。`,
    }
  if (waits.operation !== undefined)
    return {
      en: `A ${waits.operation} is in progress in ${waits.path}. Finish or abort it; the merge into ${base} then goes on.`,
      ja: `${waits.path} で ${waits.operation} の途中です。完了または中止すると、${base} へのマージが再開します。`,
    }
  return {
    en: `git is working in ${waits.path}: its index is locked. If no git command runs there, remove index.lock in its git folder; the merge into ${base} then goes on.`,
    ja: `${waits.path} では git が作業中です (インデックスがロックされています)。git コマンドが動いていない場合は、git フォルダーの index.lock を削除すると ${base} へのマージが再開します。`,
  }
}

/** Stored with the task in English; the other languages are found by it. */
export function whyGivenUp({ baseRef, outcome, details }: Merge, count: number): Text {
  const base = baseName(baseRef)
  const files = (details.conflicts ?? []).slice(0, SHOWN).map(({ path }) => path)
  const check = details.check ?? ''
  const last =
    outcome === 'conflict'
      ? { en: `with conflicts in ${files.join(', ')}`, ja: `${files.join('、')} で競合` }
      : { en: `since check ${check} failed on the merged files`, ja: `マージ結果でチェック ${check} が失敗` }
  return {
    en: `It could not be merged into ${base} ${count} times in a row, the last time ${last.en}. Settle it in its workspace, or say in its description how, then move the task back to in_progress.`,
    ja: `${base} へのマージに ${count} 回続けて失敗しました (最後: ${last.ja})。ワークスペースで解決するか、解決方法を説明に書いてから、タスクを in_progress に戻してください。`,
  }
}

/** To merge it would bring back what somebody took out of the base, and what no review has shown. */
export function whyTakenBack({ baseRef, details }: Merge, handle: string): Text {
  const [base, commit] = [baseName(baseRef), details.lacks?.slice(0, 9) ?? '']
  return {
    en: `${base} does not have the commit ${commit}, which this work was reviewed on: it was reset, amended or rebased since, or is behind. Merged as it is, the work would bring in what that commit has, perhaps what was just dropped. If ${base} should have it, run \`git merge ${commit}\` there. See what the work would change now with \`toryo task review ${handle}\`, then accept it, or move the task back to in_progress and have its branch rebased onto ${base}.`,
    ja: `${base} に、レビュー時の起点だったコミット ${commit} がありません (reset、amend、rebase されたか、更新が遅れています)。このままマージすると、取り除かれた変更も一緒に入ってしまいます。${base} に必要なコミットであれば、${base} で \`git merge ${commit}\` を実行してください。\`toryo task review ${handle}\` で現在の差分を確認して承認するか、タスクを in_progress に戻してブランチを ${base} に rebase させてください。`,
  }
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
    en: `${what.en}: it has changed since in ${files.join(', ')}. ${base} is as it was. Undo it by hand (\`git revert\`), or leave it.`,
    ja: `${what.ja}。その後の変更と競合しています: ${files.join('、')}。${base} は変わっていません。手動で取り消すか (\`git revert\`)、そのままにしてください。`,
  }
}

/** Nothing that its agent could do about. */
export function whyNotChecked({ baseRef, details }: Merge): Text {
  const [base, check] = [baseName(baseRef), details.check ?? '']
  const why = (details.tail ?? '').trimEnd().replace(/\.$/, '')
  return {
    en: `Check ${check} could not be started on the files merged with ${base}: ${why}. Fix it, then move the task back to done.`,
    ja: `${base} とのマージ結果でチェック ${check} を開始できませんでした: ${why}。原因を直してから、タスクを done に戻してください。`,
  }
}

export const waitsBehind = (handle: string): Text => ({
  en: `${handle} is merged first.`,
  ja: `${handle} が先にマージされます。`,
})

export const noBase = (base: string): Text => ({
  en: `The base branch ${base} does not exist. Create it, or set another with \`toryo project edit --base\`.`,
  ja: `ベースブランチ ${base} がありません。作成するか、\`toryo project edit --base\` で別のブランチを指定してください。`,
})

/** Thrown where a merge cannot go on before a person does something about it. */
export class CannotGoOn extends Error {
  readonly text: Text

  constructor(text: Text) {
    super(text.en)
    this.name = 'CannotGoOn'
    this.text = text
  }
}

export const noFolder = (project: string): Text => ({
  en: `Project ${project} has no folder any more, so the merged files cannot be checked. Give it one again; the merge then goes on.`,
  ja: `プロジェクト ${project} のフォルダーが未設定のため、マージ結果をチェックできません。フォルダーを設定するとマージが再開します。`,
})

/** Always the same sentence: it is announced once. The hub's log has the rest. */
export const wentWrong: Text = {
  en: 'Something went wrong inside the hub while it was merged. The log of the hub (`toryo logs`) says what; the merge is tried again.',
  ja: 'マージ中にハブの内部でエラーが発生しました。詳細はハブのログ (`toryo logs`) を確認してください。マージは再試行されます。',
}

export const gitSaid = (message: string): Text => ({
  en: `git could not merge it: ${message}`,
  ja: `git でマージできませんでした: ${message}`,
})
