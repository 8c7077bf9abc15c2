// The sentences that people and agents read about why something stands still, and what to do about it.
import type { Text } from './errors.ts'
import { endSentence, withRun } from './run-end-text.ts'
import type { Blocked, CheckRemark, MergeNeeds, SetupFailure } from './why.ts'

export function blockedText(why: Blocked): Text {
  switch (why.kind) {
    case 'said':
      return { en: why.text, ja: why.text }
    case 'check-not-started': {
      const cause = causeOf(why.remark)
      return {
        en: `Check ${why.check} could not be started: ${cause.en}. Fix it (\`${logOf(why)}\`), then move the task back to in_progress.`,
        ja: `チェック ${why.check} を開始できませんでした: ${cause.ja}。原因を直し (\`${logOf(why)}\`)、タスクを「進行中」に戻してください。`,
      }
    }
    case 'check-failed': {
      const how = howFailed(why)
      return {
        en: `Check ${why.check} failed ${why.count} times in a row, the last time with ${how.en}. \`${logOf(why)}\` shows what it wrote. Fix the cause, then move the task back to in_progress.`,
        ja: `チェック ${why.check} が ${why.count} 回続けて失敗しました (最後: ${how.ja})。出力は \`${logOf(why)}\` で確認できます。原因を直してから、タスクを「進行中」に戻してください。`,
      }
    }
    case 'check-unchanged':
      return {
        en: `Check ${why.check} failed twice on the same files: the agent reported again without a change. \`${logOf(why)}\` shows what it wrote. Fix the cause, then move the task back to in_progress.`,
        ja: `チェック ${why.check} が同じファイルに対して 2 回失敗しました。エージェントは変更せずに再び報告しています。出力は \`${logOf(why)}\` で確認できます。原因を直してから、タスクを「進行中」に戻してください。`,
      }
    case 'unreadable':
      return {
        en: `Its work was reported, but the workspace could not be read: ${why.why.en} Restore the folder, or move the task back to in_progress to have it done again.`,
        ja: `作業は報告されましたが、ワークスペースを読み取れませんでした: ${closed(why.why.ja)}フォルダーを復元するか、タスクを「進行中」に戻してやり直してください。`,
      }
    case 'sent-back':
      return {
        en: `Agents that review wanted changes ${why.count} times in a row. Look at the work and their comments (\`toryo task review\`), then accept it, or move the task back to in_progress.`,
        ja: `レビューのエージェントが ${why.count} 回続けて差し戻しました。作業とコメントを確認し (\`toryo task review\`)、承認するか、タスクを「進行中」に戻してください。`,
      }
    case 'handed-back': {
      const still = why.unchanged
        ? { en: ' without changing a file', ja: 'ファイルを変更しないまま ' }
        : { en: '', ja: ' ' }
      return {
        en: `Its agents have handed it back ${why.count} times${still.en}. Read their handoffs (\`toryo task show\`), say who is to do what, then move the task back to in_progress.`,
        ja: `エージェントどうしが${still.ja}${why.count} 回差し戻し合いました。引き継ぎの内容を確認し (\`toryo task show\`)、誰が何をするかを伝えてから、タスクを「進行中」に戻してください。`,
      }
    }
    case 'silent': {
      const last = endSentence(why.end)
      const { en, ja } = why.run === null ? last : { en: withRun(last.en, why.run), ja: withRun(last.ja, why.run) }
      return {
        en: `The agent was started ${why.restarts} times more and fell silent or ended each time without a report. The last time: ${en} Then move the task back to in_progress.`,
        ja: `エージェントを ${why.restarts} 回再起動しましたが、毎回報告なしに終了しました。最後の実行: ${ja}対処した後、タスクを「進行中」に戻してください。`,
      }
    }
    case 'conflicts':
      return notMerged(why, {
        en: `with conflicts in ${why.files.join(', ')}`,
        ja: `${why.files.join('、')} で競合`,
      })
    case 'merge-check-failed':
      return notMerged(why, {
        en: `since check ${why.check} failed on the merged files`,
        ja: `マージ結果でチェック ${why.check} が失敗`,
      })
    case 'merge-check-not-started': {
      const cause = causeOf(why.remark)
      return {
        en: `Check ${why.check} could not be started on the files merged with ${why.base}: ${cause.en}. Fix it, then move the task back to done.`,
        ja: `${why.base} とのマージ結果でチェック ${why.check} を開始できませんでした: ${cause.ja}。原因を直してから、タスクを「完了」に戻してください。`,
      }
    }
    case 'imported':
      return {
        en: 'It was accepted and not merged yet when these data were exported, and an import merges nothing. Look at it with `toryo task review` and accept it again, or move the task back to in_progress.',
        ja: 'エクスポートの時点で承認済み・未マージでした。インポートではマージされません。`toryo task review` で確認してもう一度承認するか、タスクを「進行中」に戻してください。',
      }
    default: {
      const { base, handle } = why
      const commit = why.commit.slice(0, 9)
      return {
        en: `${base} does not have the commit ${commit}, which this work was reviewed on: it was reset, amended or rebased since, or is behind. Merged as it is, the work would bring in what that commit has, perhaps what was just dropped. If ${base} should have it, run \`git merge ${commit}\` there. See what the work would change now with \`toryo task review ${handle}\`, then accept it, or move the task back to in_progress and have its branch rebased onto ${base}.`,
        ja: `${base} に、レビュー時の起点だったコミット ${commit} がありません (reset、amend、rebase されたか、更新が遅れています)。このままマージすると、取り除かれた変更も一緒に入ってしまいます。${base} に必要なコミットであれば、${base} で \`git merge ${commit}\` を実行してください。\`toryo task review ${handle}\` で現在の差分を確認して承認するか、タスクを「進行中」に戻してブランチを ${base} に rebase させてください。`,
      }
    }
  }
}

/** Sentences of other programs are in English. */
const closed = (sentence: string) => (sentence.endsWith('。') ? sentence : `${sentence} `)

const logOf = ({ handle, check }: { handle: string; check: string }) => `toryo run logs ${handle} --check ${check}`

type CheckFailed = Extract<Blocked, { kind: 'check-failed' }>

function howFailed({ outcome, exitCode }: CheckFailed): Text {
  if (outcome === 'stale') return { en: 'it changed files', ja: 'ファイルの変更' }
  if (outcome === 'timed_out') return { en: 'it took too long', ja: '時間切れ' }
  return { en: `exit code ${exitCode ?? 'unknown'}`, ja: `終了コード ${exitCode ?? '不明'}` }
}

function notMerged({ base, count }: { base: string; count: number }, last: Text): Text {
  return {
    en: `It could not be merged into ${base} ${count} times in a row, the last time ${last.en}. Settle it in its workspace, or say in its description how, then move the task back to in_progress.`,
    ja: `${base} へのマージに ${count} 回続けて失敗しました (最後: ${last.ja})。ワークスペースで解決するか、解決方法を説明に書いてから、タスクを「進行中」に戻してください。`,
  }
}

/** Within a sentence. */
function causeOf(remark: CheckRemark | null): Text {
  const { en, ja } = remark === null ? { en: 'unknown', ja: '不明' } : remarkText(remark)
  return { en: en.replace(/\.$/, ''), ja: ja.replace(/[.。]$/, '') }
}

export function remarkText(remark: CheckRemark): Text {
  switch (remark.kind) {
    case 'clean':
      return {
        en: 'It ran in a clean checkout: there was only what is in the tree and what a new worktree is prepared with.',
        ja: 'クリーンなチェックアウトで実行しました。存在したのは、ツリー内のファイルと、ワークツリーの準備で用意されるものだけです。',
      }
    case 'changed-before':
      return {
        en: 'The files changed after the report, before this check could run. Report again when nothing writes to them any more.',
        ja: '報告の後、このチェックの前にファイルが変わりました。書き込みが終わってからもう一度報告してください。',
      }
    case 'hub-ended':
      return { en: 'The hub ended while it ran.', ja: '実行中にハブが終了しました。' }
    case 'not-found':
      return { en: `${remark.program} was not found`, ja: `${remark.program} が見つかりません` }
    case 'too-long':
      return {
        en: `It took longer than ${remark.minutes} minutes.`,
        ja: `${remark.minutes} 分以内に終わりませんでした。`,
      }
    case 'no-folder':
      return {
        en: `It was not run: ${remark.folder}, the folder of the project, is not there, or is a link.`,
        ja: `実行していません: プロジェクトのフォルダー ${remark.folder} が存在しないか、リンクになっています。`,
      }
    case 'setup-failed': {
      const why = setupText(remark.why)
      return {
        en: `It was not run, since the setup of the clean checkout failed: ${why.en}.`,
        ja: `実行していません: クリーンなチェックアウトのセットアップに失敗しました (${why.ja})。`,
      }
    }
    case 'setup-changes': {
      const names = namesIn(remark)
      return {
        en: `It was not run, since these files of the tree do not stay as they are in the clean checkout: ${names.en}.`,
        ja: `実行していません: クリーンなチェックアウトで、ツリーの次のファイルが変わってしまいます: ${names.ja}`,
      }
    }
    case 'changed': {
      const names = namesIn(remark)
      return {
        en: `Files of the tree changed while it ran, so its result proves nothing: ${names.en}. If the check writes them, remove them and let git ignore them, or commit them.`,
        ja: `実行中にファイルが変わったため、結果は無効です: ${names.ja}。チェックが書き込むファイルなら、削除して .gitignore に加えるか、コミットしてください。`,
      }
    }
    default:
      return { en: remark.text, ja: remark.text }
  }
}

function namesIn({ files, more }: { files: readonly string[]; more: number }): Text {
  const names = files.join(', ')
  return more > 0 ? { en: `${names}, and ${more} more`, ja: `${names} ほか ${more} 件` } : { en: names, ja: names }
}

export function needsText(needs: MergeNeeds): Text {
  switch (needs.kind) {
    case 'no-base':
      return {
        en: `The base branch ${needs.base} does not exist. Create it, or set another with \`toryo project edit --base\`.`,
        ja: `ベースブランチ ${needs.base} がありません。作成するか、\`toryo project edit --base\` で別のブランチを指定してください。`,
      }
    case 'no-folder':
      return {
        en: `Project ${needs.project} has no folder any more, so the merged files cannot be checked. Give it one again; the merge then goes on.`,
        ja: `プロジェクト ${needs.project} のフォルダーが未設定のため、マージ結果をチェックできません。フォルダーを設定するとマージが再開します。`,
      }
    case 'unseen-checks': {
      const all = needs.checks.map(({ name, command }) => `${name}: ${JSON.stringify(command)}`).join(', ')
      const line = `toryo project check trust --project ${needs.project}`
      return {
        en: `Waits for a person: these checks were added on another machine, and no person has looked at them on this one (${all}). Look at them here with \`${line}\`.`,
        ja: `人の確認待ちです。別のマシンで追加されたチェックのコマンドを、このマシンでまだ誰も確認していません (${all})。ここで \`${line}\` を実行して確認してください。`,
      }
    }
    case 'dirty': {
      const files = needs.files.join(', ')
      return {
        en: `${needs.base} is checked out in ${needs.path}, where these files have changes that the merge would overwrite: ${files}${needs.more ? ', …' : ''}. Commit, stash or remove them; the merge then goes on.`,
        ja: `${needs.base} は ${needs.path} でチェックアウトされており、マージで上書きされるファイルに未保存の変更があります: ${files}${needs.more ? ' ほか' : ''}。コミット、stash、または削除するとマージが再開します。`,
      }
    }
    case 'gone':
      return {
        en: `${needs.base} is checked out in a folder that cannot be found from ${needs.path}, and must not move without it. Say where it is with \`git --git-dir=${needs.path} config core.worktree <folder>\`; the merge then goes on.`,
        ja: `${needs.base} がチェックアウトされているフォルダーを ${needs.path} から特定できないため、マージできません。\`git --git-dir=${needs.path} config core.worktree <フォルダー>\` で場所を設定するとマージが再開します。`,
      }
    case 'unclear':
      return {
        en: `It cannot be told which branch is checked out where ${needs.path}/HEAD belongs to, and ${needs.base} must not move under a checkout. Replace that HEAD by a file that says \`ref: refs/heads/<branch>\`; the merge then goes on.`,
        ja: `${needs.path}/HEAD からチェックアウト中のブランチを判別できません。チェックアウト中のまま ${needs.base} だけが進むことのないよう待機しています。この HEAD を \`ref: refs/heads/<ブランチ>\` と書いたファイルに置き換えると、マージが再開します。`,
      }
    case 'operation':
      return {
        en: `A ${needs.operation} is in progress in ${needs.path}. Finish or abort it; the merge into ${needs.base} then goes on.`,
        ja: `${needs.path} で ${needs.operation} の途中です。完了または中止すると、${needs.base} へのマージが再開します。`,
      }
    case 'locked':
      return {
        en: `git is working in ${needs.path}: its index is locked. If no git command runs there, remove index.lock in its git folder; the merge into ${needs.base} then goes on.`,
        ja: `${needs.path} では git が作業中です (インデックスがロックされています)。git コマンドが動いていない場合は、git フォルダーの index.lock を削除すると ${needs.base} へのマージが再開します。`,
      }
    case 'refused':
      return needs.why
    case 'fault':
      return {
        en: 'Something went wrong inside the hub while it was merged. The log of the hub (`toryo logs`) says what; the merge is tried again.',
        ja: 'マージ中にハブの内部でエラーが発生しました。詳細はハブのログ (`toryo logs`) を確認してください。マージは再試行されます。',
      }
    default:
      return { en: `git could not merge it: ${needs.said}`, ja: `git でマージできませんでした: ${needs.said}` }
  }
}

/** Within a sentence. */
export function setupText(failure: SetupFailure): Text {
  switch (failure.kind) {
    case 'not-found':
      return { en: `${failure.program} was not found`, ja: `${failure.program} が見つかりません` }
    case 'stopped':
      return { en: 'it was stopped', ja: '停止されました' }
    case 'hub-ended':
      return { en: 'the hub ended meanwhile', ja: '途中でハブが終了しました' }
    case 'too-long':
      return {
        en: `it took longer than ${failure.minutes} minutes`,
        ja: `${failure.minutes} 分以内に終わりませんでした`,
      }
    case 'ended': {
      const { exitCode, signal } = failure
      const last = failure.last === '' ? '' : `: ${failure.last}`
      return {
        en: `it ended with ${exitCode === null ? (signal ?? 'an unknown end') : `exit code ${exitCode}`}${last}`,
        ja: `${exitCode === null ? (signal ?? '不明な理由') : `終了コード ${exitCode}`} で終了しました${last}`,
      }
    }
    default:
      return { en: failure.text, ja: failure.text }
  }
}
