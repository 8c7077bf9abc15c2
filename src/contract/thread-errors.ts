// What the thread from a task to a merged change refuses, and why.
import { error, errors, type Text } from './errors.ts'
import type { Stage } from './projects.ts'
import { STAGE_JA } from './state-words.ts'

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

export const ThreadError = errors({
  WORKSPACE_BUSY: error('conflict', (p: { handle: string; holder: Text }) => ({
    en: `${p.holder.en} works in the workspace of ${p.handle}; one at a time does. Stop it, or wait for its end.`,
    ja: `${p.handle} のワークスペースでは ${p.holder.ja} が作業中です。同時に作業できるのは 1 つだけです。停止するか、終了を待ってください。`,
  })),
  /** `why`: which task it waits for, and where that is merged. */
  BASE_BEHIND: error('conflict', (p: { why: Text }) => p.why),
  NO_WORKSPACE: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} has no workspace: its project works in its own folder, or it was never started. \`toryo project edit --workspace task\` gives each task one.`,
    ja: `${p.handle} にはワークスペースがありません。プロジェクトのフォルダーで作業しているか、まだ開始されていません。\`toryo project edit --workspace task\` でタスクごとに作成できます。`,
  })),
  /** `machine`, `away`: where that is, and since when it was not heard of, as far as it is known. */
  WORKSPACE_ELSEWHERE: error(
    'conflict',
    (p: { handle: string; path: string; machine?: string | null; away?: string | null }) => {
      const { handle, path, machine, away } = p
      const gone = away ? { en: `, which is away since ${away}`, ja: `、${away} から応答なし` } : { en: '', ja: '' }
      const where = machine
        ? { en: `is on ${machine}${gone.en}, in ${path}`, ja: `${machine} にあります (${path}${gone.ja})` }
        : { en: `belongs to another hub, in ${path}`, ja: `別のハブのものです (${path})` }
      return {
        en: `The workspace of ${handle} ${where.en}; work on it there, or begin afresh here with \`toryo task start ${handle} --here\`.`,
        ja: `${handle} のワークスペースは${where.ja}。そこで作業するか、\`toryo task start ${handle} --here\` でここで新しく始めてください。`,
      }
    },
  ),
  CHECK_NOT_FOUND: error('not-found', (p: { name: string }) => ({
    en: `Check ${p.name} not found. Use \`toryo project check list\` to list them.`,
    ja: `チェック ${p.name} が見つかりません。\`toryo project check list\` で一覧を確認できます。`,
  })),
  CHECK_CHANGED: error('conflict', (p: { name: string; command: readonly string[] }) => ({
    en: `Check ${p.name} is not what was shown to you; nothing was trusted. Its command is now ${JSON.stringify(p.command)}.`,
    ja: `チェック ${p.name} は表示された内容から変わっているため、何も許可していません。現在のコマンド: ${JSON.stringify(p.command)}`,
  })),
  CHECK_NOT_FOUND_IN_FOLDER: error('forbidden', (p: { name: string; command: readonly string[] }) => ({
    en: `The hub does not find ${JSON.stringify(p.command)} in the folder of the project, and a page adds no other commands. On a command line: \`toryo project check add ${p.name} -- …\`.`,
    ja: `${JSON.stringify(p.command)} はプロジェクトのフォルダーに見つかりません。ページから追加できるのは、見つかったコマンドだけです。コマンドラインでは \`toryo project check add ${p.name} -- …\` で追加できます。`,
  })),
  CHECK_EXISTS: error('conflict', (p: { name: string }) => ({
    en: `The project has a check ${p.name} already; remove it first, or choose another name.`,
    ja: `このプロジェクトには既にチェック ${p.name} があります。先に削除するか、別の名前を選んでください。`,
  })),
  NOTHING_TO_REVIEW: error('conflict', (p: { handle: string; stage: Stage }) => ({
    en: `${p.handle} is ${p.stage}: no reported work waits for a verdict.`,
    ja: `${p.handle} の段階は「${STAGE_JA[p.stage]}」です。判定を待っている報告はありません。`,
  })),
  OWN_WORK: error('forbidden', (p: { handle: string }) => ({
    en: `An agent cannot accept its own work, nor work that it had a part in; another agent or a person must review ${p.handle}.`,
    ja: `自分の作業や、自分が関わった作業を承認することはできません。${p.handle} は別のエージェントか人がレビューしてください。`,
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
  NOT_ACCEPTED: error('conflict', (p: { handle: string; stage: Stage }) => ({
    en: `${p.handle} is ${p.stage} and not accepted; accept it first with \`toryo task review ${p.handle} --accept\`.`,
    ja: `${p.handle} の段階は「${STAGE_JA[p.stage]}」で、まだ承認されていません。先に \`toryo task review ${p.handle} --accept\` で承認してください。`,
  })),
  SNAPSHOT_NOT_FOUND: error('not-found', (p: { snapshotId: string; handle: string }) => ({
    en: `${p.handle} has no snapshot ${p.snapshotId} with files. Use \`toryo task show ${p.handle}\` to list its snapshots.`,
    ja: `${p.handle} に、ファイルを含むスナップショット ${p.snapshotId} はありません。\`toryo task show ${p.handle}\` で一覧を確認できます。`,
  })),
  MERGE_NOT_FOUND: error('not-found', (p: { mergeId: string }) => ({
    en: `Merge ${p.mergeId} not found. Use \`toryo queue --ended\` to list merges.`,
    ja: `マージ ${p.mergeId} が見つかりません。\`toryo queue --ended\` で一覧を確認できます。`,
  })),
  NOT_MERGED: error('conflict', (p: { handle: string; stage: Stage }) => ({
    en: `${p.handle} is ${p.stage}: it has no merge that could be undone. \`toryo queue --ended\` shows what was merged.`,
    ja: `${p.handle} の段階は「${STAGE_JA[p.stage]}」です。取り消すマージはありません。マージの履歴は \`toryo queue --ended\` で確認できます。`,
  })),
  NOT_UNDONE: error('conflict', (p: { handle: string; stage: Stage }) => ({
    en: `${p.handle} is ${p.stage}: no undone merge of it can be brought back. An undone merge can be until the task is started again.`,
    ja: `${p.handle} の段階は「${STAGE_JA[p.stage]}」です。元に戻せるマージの取り消しはありません。元に戻せるのは、タスクを再開するまでです。`,
  })),
  MERGED_ELSEWHERE: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} was merged by a pull request, so Toryo cannot undo it. Revert it where that was merged.`,
    ja: `${p.handle} はプルリクエストでマージされたため、ここでは取り消せません。マージした場所で revert してください。`,
  })),
  MERGE_UNDONE: error('conflict', (p: { handle: string }) => ({
    en: `The merge of ${p.handle} was undone, and nothing newer waits to be merged. \`toryo task undo-merge ${p.handle} --redo\` brings it back.`,
    ja: `${p.handle} のマージは取り消されており、それより新しい作業はありません。\`toryo task undo-merge ${p.handle} --redo\` で元に戻せます。`,
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
