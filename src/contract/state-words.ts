// The Japanese words of states, for sentences: the same ones that the board shows. English sentences name the value itself.
// Without zod: the dashboard's bundle has them, too.
import type { PRIORITIES, STAGES, TASK_STATUSES } from './task-values.ts'

export const STATUS_JA: Readonly<Record<(typeof TASK_STATUSES)[number], string>> = {
  backlog: 'バックログ',
  todo: '未着手',
  in_progress: '進行中',
  blocked: 'ブロック',
  done: '完了',
  cancelled: '中止',
}

export const PRIORITY_JA: Readonly<Record<(typeof PRIORITIES)[number], string>> = {
  urgent: '緊急',
  high: '高',
  medium: '中',
  low: '低',
}

export const STAGE_JA: Readonly<Record<(typeof STAGES)[number], string>> = {
  planned: '計画',
  waiting: '他のタスク待ち',
  working: '作業中',
  blocked: 'ブロック',
  checking: 'チェック中',
  review: 'レビュー待ち',
  queued: 'マージ待ち',
  merged: 'マージ済み',
  done: '完了',
  cancelled: '中止',
}

export const PHASE_STATUS_JA = { pending: '未開始', in_progress: '進行中', completed: '完了', failed: '失敗' } as const

/** An agent is at work in it. */
export const TAB_STATUS_JA = {
  ...{ starting: '起動中', running: '作業中', idle: 'アイドル', waiting: '入力待ち', exited: '終了' },
} as const

export const MESSAGE_STATE_JA = { queued: '配信待ち', delivered: '配信済み', undeliverable: '配信不可' } as const

/** The kinds of conflicts, as git names them. */
export const CONFLICT_JA: Readonly<Record<string, string>> = {
  ...{ contents: '同じ行の変更', binary: 'バイナリ', submodule: 'サブモジュール' },
  ...{ 'add/add': '両方で追加', 'modify/delete': '変更と削除', 'rename/delete': '名前変更と削除' },
  ...{ 'rename/add': '名前変更と追加', 'rename/rename': '異なる名前変更', 'file/directory': 'ファイルとフォルダー' },
}

/** Those of everything else; what has words of its own is above. */
export const STATE_JA: Readonly<Record<string, string>> = {
  ...STATUS_JA,
  ...PRIORITY_JA,
  // Of runs, checks and merges.
  ...{
    queued: '待機中',
    running: '実行中',
    reported: '報告済み',
    resultReported: '報告済み',
    completed: '完了',
    failed: '失敗',
    error: 'エラー',
  },
  ...{
    timedOut: 'タイムアウト',
    timed_out: 'タイムアウト',
    timeout: 'タイムアウト',
    partial: '一部完了',
    success: '成功',
    failure: '失敗',
  },
  ...{ succeeded: '成功', passed: '合格', stale: '無効', stopped: '停止', not_started: '開始できず' },
  ...{ merged: 'マージ済み', conflict: '競合', withdrawn: '取り下げ', closed: '終了' },
  ...{ concurrent: '並行', sequential: '順次' },
  // Of tabs and their messages.
  ...{ starting: '起動中', idle: 'アイドル', waiting: '入力待ち', busy: '作業中', ended: '終了', exited: '終了' },
  ...{ lost: '消失', refused: '拒否', hub_stopped: 'ハブの停止', delivered: '配信済み', undeliverable: '配信不可' },
  ...{ tab_ended: 'タブが終了', stalled: 'プログラムが読み取らなかった', line_too_long: 'このプログラムには長すぎる' },
  // Of worktrees and their files.
  ...{ creating: '作成中', ready: '使用可能', removing: '削除中', trashed: 'ゴミ箱', restoring: '復元中' },
  ...{ purging: '完全に削除中', purged: '完全に削除済み', none: 'なし', pending: '保留', untrusted: '未信頼' },
  ...{ asked: '依頼による', forced: '強制', incomplete: '作成途中', gone: 'フォルダーなし' },
  ...{ added: '追加', modified: '変更', deleted: '削除', renamed: '名前変更' },
  // Of agents, projects, engines and credentials.
  ...{ active: '有効', enabled: '有効', disabled: '無効', archived: 'アーカイブ済み', revoked: '失効' },
  ...{ paused: '一時停止', missing: 'なし', logout: 'サインアウト', 'not-wanted': '不要になったため' },
}
