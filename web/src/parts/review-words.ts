// Words of reviews and checks. They come with the views that show them, not with the first load.
import { count } from '../words/count.ts'
import { useOwnWords } from './use-words.ts'

const en = {
  outcome: {
    running: 'running',
    passed: 'passed',
    failed: 'failed',
    timed_out: 'timed out',
    stopped: 'stopped',
    stale: 'outdated: the files changed',
    not_started: 'could not be started',
  },
  title: 'Review',
  report: 'Report',
  checks: 'Checks',
  held: 'Stays out of the change',
  include: 'Include',
  included: 'A new snapshot is taken and checked again',
  heldWhy: {
    secret: 'looks like a secret',
    size: 'too large',
    filter: 'needs a filter program',
    closed: 'may not be read',
    nested: 'a repository of its own; what is not committed and pushed there stays out',
  },
  flag: { check: 'changes what checks run', test: 'changes a test', ci: 'changes CI', lock: 'lock file' },
  change: { added: 'added', modified: 'modified', deleted: 'deleted', renamed: 'renamed' },
  files: (n: number) => count(n, 'changed file', 'changed files'),
  comments: (n: number) => count(n, 'comment', 'comments'),
  diffOf: (path: string) => `Diff of ${path}`,
  cutLines: (n: number) => `The first ${n.toLocaleString('en')} lines. The rest is in the workspace.`,
  untrusted: (names: string) => `Not run, because you have not trusted them: ${names}`,
  agentReviews: (who: string) => `${who} was asked to review it. Its verdict is not there yet.`,
  ranIn: { workspace: 'in the workspace', clean_checkout: 'in a clean checkout' },
  optional: 'optional',
  exit: (code: number) => `exit ${code}`,
  seconds: (n: number) => `${n.toLocaleString('en', { maximumFractionDigits: 1 })} s`,
  output: (check: string) => `End of the output of ${check}`,
  say: 'What should change, or a word with the acceptance',
  sayFirst: 'Say what should change first',
  accept: 'Accept',
  changes: 'Changes wanted',
  asking: 'Sending…',
  accepted: (handle: string) => `Accepted ${handle}`,
  sentBack: (handle: string) => `${handle} goes back to its agent`,
}

const n = (value: number) => value.toLocaleString('ja')

const ja: typeof en = {
  outcome: {
    running: '実行中',
    passed: '合格',
    failed: '失敗',
    timed_out: 'タイムアウト',
    stopped: '停止',
    stale: '無効 (実行中にファイルが変更)',
    not_started: '開始できず',
  },
  title: 'レビュー',
  report: '報告',
  checks: 'チェック',
  held: '変更に含めないファイル',
  include: '含める',
  included: 'スナップショットを取り直し、再びチェックします',
  heldWhy: {
    secret: '秘密情報の可能性',
    size: '大きすぎる',
    filter: 'フィルターが必要',
    closed: '読み取り権限なし',
    nested: '別のリポジトリ (そこでコミットと push をしていない変更は含まれません)',
  },
  flag: { check: 'チェックの実行内容を変更', test: 'テストを変更', ci: 'CI を変更', lock: 'ロックファイル' },
  change: { added: '追加', modified: '変更', deleted: '削除', renamed: '名前変更' },
  files: value => `変更されたファイル ${n(value)} 件`,
  comments: value => `コメント ${n(value)} 件`,
  diffOf: path => `${path} の差分`,
  cutLines: value => `先頭の ${n(value)} 行です。残りはワークスペースで確認してください。`,
  untrusted: names => `信頼されていないため実行していないチェック: ${names}`,
  agentReviews: who => `${who} にレビューを依頼中です。判定はまだありません。`,
  ranIn: { workspace: 'ワークスペースで実行', clean_checkout: 'クリーンなチェックアウトで実行' },
  optional: '任意',
  exit: code => `終了コード ${code}`,
  seconds: value => `${value.toLocaleString('ja', { maximumFractionDigits: 1 })} 秒`,
  output: check => `${check} の出力の末尾`,
  say: '変更してほしい内容、または承認に添えるひとこと',
  sayFirst: '先に変更してほしい内容を書いてください',
  accept: '承認',
  changes: '差し戻す',
  asking: '送信中…',
  accepted: handle => `${handle} を承認しました`,
  sentBack: handle => `${handle} をエージェントへ差し戻しました`,
}

export const reviewWords = { en, ja }

export const useReviewWords = () => useOwnWords(reviewWords)
