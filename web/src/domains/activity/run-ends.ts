// How a run ended, as a sentence: its outcome, and why where that says more than the outcome does.
import type { EndKind } from '#contract/run-end.ts'
import type { Said } from './model.ts'

/** What the hub says besides of the runs of a crew. */
type OfCrews =
  | 'hub-stopped'
  | 'hub-restart'
  | 'stage-failed'
  | 'start-failed'
  | 'trust-required'
  | 'no-final-event'
  | 'error'

type Words = {
  completed: (who: string) => string
  reportedFailure: (who: string) => string
  asked: (who: string) => string
  failed: (who: string) => string
  stopped: (who: string) => string
  cancelled: (who: string) => string
  timedOut: (who: string) => string
  otherwise: (who: string, outcome: string) => string
  because: (why: string) => string
  calls: (count: number) => string
  exitCode: (code: string) => string
  signal: (name: string) => string
  /** Empty: the outcome has said it. */
  reasons: Readonly<Record<EndKind | OfCrews, string>>
}

const SIGNAL = /^SIG[A-Z0-9]+$/
const EXIT_CODE = /^exit-code-(.+)$/

export function runEnded(said: Said, words: Words): string {
  const sentence = outcomeOf(said, words)
  const calls = Number(said.text('toolCalls'))
  return calls > 0 ? sentence + words.calls(calls) : sentence
}

function outcomeOf(said: Said, words: Words): string {
  const who = said.run()
  const reason = said.text('reason')
  if (said.text('result') === 'blocked') return words.asked(who)
  // Programs have words of their own for a good end, and no person needs them.
  if (said.text('outcome') === 'completed') return words.completed(who)
  const why = whyOf(reason, words)
  const because = why === '' ? '' : words.because(why)
  switch (said.text('outcome')) {
    case 'failed':
    case 'error':
      return reason === 'reported' ? words.reportedFailure(who) : words.failed(who) + because
    case 'cancelled':
      return reason === 'stopped' ? words.stopped(who) : words.cancelled(who) + because
    case 'timedOut':
      return words.timedOut(who) + because
    default:
      return words.otherwise(who, said.word('outcome')) + because
  }
}

function whyOf(reason: string, { reasons, exitCode, signal }: Words): string {
  const known = Object.hasOwn(reasons, reason) ? reasons[reason as EndKind] : undefined
  if (known !== undefined) return known
  if (SIGNAL.test(reason)) return signal(reason)
  const code = EXIT_CODE.exec(reason)?.[1]
  return code === undefined ? reason : exitCode(code)
}

export const endsEn: Words = {
  completed: who => `run of ${who} completed`,
  reportedFailure: who => `run of ${who} reported a failure`,
  asked: who => `run of ${who} ended with a question`,
  failed: who => `run of ${who} failed`,
  stopped: who => `run of ${who} was stopped`,
  cancelled: who => `run of ${who} was cancelled`,
  timedOut: who => `run of ${who} timed out`,
  otherwise: (who, outcome) => `run of ${who} ended: ${outcome}`,
  because: why => `: ${why}`,
  calls: count => `, ${count.toLocaleString('en')} tool call${count === 1 ? '' : 's'}`,
  exitCode: code => `exit code ${code}`,
  signal: name => `ended by ${name}`,
  reasons: {
    reported: 'it reported',
    'no-task': 'it reported without having taken a task',
    'no-report': 'it ended without a report',
    'no-sign-in': 'it ended without signing in to Toryo',
    'signed-out': 'it signed out without a report',
    quota: 'the account is used up',
    'sign-in': 'the program is not signed in to its model',
    service: 'no usable answer came from the model',
    model: 'the program cannot use its model',
    denied: "the program's permissions refused tool calls",
    silence: 'it wrote nothing for too long',
    'time-limit': 'the time limit was reached',
    'program-missing': 'the program was not found',
    'folder-missing': "the folder is not on the Runner's machine",
    'no-workspace': 'the workspace could not be made',
    'not-started': 'the program could not be started',
    untrusted: 'the agent configuration in the folder is not trusted',
    'not-taken-up': 'the Runner did not start it in time',
    killed: 'a signal ended the process',
    failed: '',
    stopped: 'it was stopped',
    'task-left': 'the task was taken from it',
    'runner-stopped': 'its Runner was stopped',
    'taken-away': 'its agent was disabled, its project archived, or another instance took its place',
    'hub-away': 'the Runner could not reach the hub for too long',
    lingered: 'it did not end after it had signed out',
    'runner-lost': 'the Runner was killed',
    'hub-lost': 'the hub ended while it ran',
    silent: 'nothing was heard of it or its Runner any more',
    unknown: '',
    'hub-stopped': 'the hub was stopped',
    'hub-restart': 'the hub ended while it ran',
    'stage-failed': 'an earlier stage of the crew failed',
    'start-failed': 'the program could not be started',
    'trust-required': 'the agent configuration in the folder is not trusted',
    'no-final-event': 'its output broke off before the end',
    error: '',
  },
}

export const endsJa: Words = {
  completed: who => `${who} の実行が完了しました`,
  reportedFailure: who => `${who} の実行が失敗を報告しました`,
  asked: who => `${who} の実行が質問を残して終了しました`,
  failed: who => `${who} の実行が失敗しました`,
  stopped: who => `${who} の実行を停止しました`,
  cancelled: who => `${who} の実行を取りやめました`,
  timedOut: who => `${who} の実行がタイムアウトしました`,
  otherwise: (who, outcome) => `${who} の実行が終了しました: ${outcome}`,
  because: why => `: ${why}`,
  calls: count => ` (ツール呼び出し ${count.toLocaleString('ja')} 回)`,
  exitCode: code => `終了コード ${code}`,
  signal: name => `${name} で終了`,
  reasons: {
    reported: '報告あり',
    'no-task': 'タスクを受け取らずに報告',
    'no-report': '報告せずに終了',
    'no-sign-in': 'Toryo にサインインせずに終了',
    'signed-out': '報告せずにサインアウト',
    quota: 'アカウントの利用上限に到達',
    'sign-in': 'モデルにログインしていません',
    service: 'モデルから応答を得られません',
    model: '指定のモデルを使えません',
    denied: '権限設定がツール呼び出しを拒否',
    silence: '長時間出力がありません',
    'time-limit': '制限時間に到達',
    'program-missing': 'プログラムが見つかりません',
    'folder-missing': 'フォルダーが Runner のマシンにありません',
    'no-workspace': 'ワークスペースを作成できません',
    'not-started': 'プログラムを起動できません',
    untrusted: 'フォルダーのエージェント設定が未承認です',
    'not-taken-up': 'Runner が時間内に開始しませんでした',
    killed: 'シグナルで終了',
    failed: '',
    stopped: '停止',
    'task-left': 'タスクの担当から外れました',
    'runner-stopped': 'Runner の停止',
    'taken-away': 'エージェントの無効化、プロジェクトのアーカイブ、または別のインスタンスへの交代',
    'hub-away': 'Runner がハブに長時間接続できません',
    lingered: 'サインアウト後もプロセスが終了しません',
    'runner-lost': 'Runner が強制終了しました',
    'hub-lost': '実行中にハブが終了',
    silent: 'エージェントからも Runner からも応答がありません',
    unknown: '',
    'hub-stopped': 'ハブの停止',
    'hub-restart': '実行中にハブが終了',
    'stage-failed': '前のステージが失敗',
    'start-failed': 'プログラムを起動できません',
    'trust-required': 'フォルダーのエージェント設定が未承認です',
    'no-final-event': '出力が途中で途切れました',
    error: '',
  },
}
