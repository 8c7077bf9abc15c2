// The sentence that people read about the end of a run: what happened, why, and what to do next.
import { cut, type Text } from './errors.ts'
import type { EndKind, RunEnd } from './run-end.ts'
import { STATUS_JA } from './state-words.ts'

/** One sentence: what happened, why, and what to do about it. */
export function endSentence(end: RunEnd): Text {
  const what = whatHappened(end)
  const todo = whatToDo(end)
  if (!todo) return { en: `${what.en}.`, ja: `${what.ja}。` }
  return { en: `${what.en}; ${todo.en}.`, ja: `${what.ja}。${todo.ja}。` }
}

/** The sentences name commands: with the run's own id they can be copied. */
export function withRun(sentence: string, id: string): string {
  return sentence.replace(/<run>|<実行>/, id)
}

/** Without what to do, and without the full stop. */
export function whatHappened(end: RunEnd): Text {
  const { en, ja } = event(end)
  const because = end.said === undefined || SPEAKS_FOR_ITSELF.has(end.kind) ? undefined : shown(end.said)
  if (because === undefined) return { en, ja }
  return { en: `${en}: ${because}`, ja: `${ja}: ${because}` }
}

/** As much of a program's words as a sentence bears. */
const SHOWN_CHARS = 400
const shown = (said: string) => cut(said, SHOWN_CHARS).replace(/[.。]+$/, '')

const SPEAKS_FOR_ITSELF = new Set<EndKind>(['reported', 'untrusted', 'no-task'])

/** A limit that a person chose, as that person would say it. */
function spanOf(minutes: number): Text {
  const seconds = Math.round(minutes * 60)
  if (seconds < 120 && seconds % 60 !== 0) return { en: `${Math.max(1, seconds)} s`, ja: `${Math.max(1, seconds)} 秒` }
  const whole = Math.max(1, Math.round(minutes))
  return { en: `${whole} min`, ja: `${whole} 分` }
}

function event(end: RunEnd): Text {
  const label = end.label ?? end.engine
  const en = label ?? 'The agent'
  const ja = label ?? 'エージェント'
  const limit = spanOf(end.minutes ?? 0)
  switch (end.kind) {
    case 'reported':
      return { en: 'It reported', ja: '報告して終了しました' }
    case 'no-task':
      return {
        en: 'It reported without having taken a task, so the task is as it was',
        ja: 'タスクを受け取らずに報告しました。タスクは変わっていません',
      }
    case 'no-report':
      return end.said === undefined
        ? { en: `${en} completed without a report`, ja: `${ja} は報告せずに終了しました` }
        : {
            en: `${en} completed without a report, with the last words`,
            ja: `${ja} は報告せずに終了しました。最後の発言`,
          }
    case 'no-sign-in':
      return {
        en: `${en} ended without signing in to Toryo`,
        ja: `${ja} は Toryo にサインインせずに終了しました`,
      }
    case 'signed-out':
      return { en: 'It signed out without a report', ja: '報告せずにサインアウトしました' }
    case 'quota':
      return { en: `The account of ${en} is used up`, ja: `${ja} のアカウントは利用上限に達しています` }
    case 'sign-in':
      return { en: `${en} is not signed in to its model`, ja: `${ja} はモデルにログインしていません` }
    case 'service':
      return {
        en: `${en} got no usable answer from its model`,
        ja: `${ja} はモデルから応答を得られませんでした`,
      }
    case 'model':
      return { en: `${en} cannot use its model`, ja: `${ja} は指定のモデルを使えません` }
    case 'denied':
      return {
        en: `The permissions of ${en} refused ${refused(end).en}, and it ended without a report`,
        ja: `${ja} の権限設定が${refused(end).ja}を拒否し、報告せずに終了しました`,
      }
    case 'silence':
      return {
        en: `${en} wrote nothing for ${limit.en} and was stopped`,
        ja: `${ja} は ${limit.ja}間何も出力しなかったため停止しました`,
      }
    case 'time-limit':
      return {
        en: `${en} was still at work after ${limit.en} and was stopped`,
        ja: `${ja} は ${limit.ja}たっても終わらなかったため停止しました`,
      }
    case 'program-missing':
      return {
        en: `${en} could not be started, since ${end.command ?? 'its program'} is not in the Runner's PATH`,
        ja: `${ja} を起動できませんでした。${end.command ?? 'プログラム'} が Runner の PATH にありません`,
      }
    case 'folder-missing':
      return {
        en: `${en} was not started, since its folder is not on the Runner's machine`,
        ja: `フォルダーが Runner のマシンにないため、${ja} を起動しませんでした`,
      }
    case 'no-workspace':
      return {
        en: `${en} was not started, since the workspace of its task could not be made`,
        ja: `タスクのワークスペースを作成できなかったため、${ja} を起動しませんでした`,
      }
    case 'not-started':
      return { en: `${en} could not be started`, ja: `${ja} を起動できませんでした` }
    case 'untrusted':
      return {
        en: `${en} was not started, since its folder brings agent configuration that is not trusted`,
        ja: `フォルダーに未承認のエージェント設定があるため、${ja} を起動しませんでした`,
      }
    case 'not-taken-up':
      return {
        en: 'The start was granted to a Runner and not taken up in time',
        ja: 'Runner に開始を許可しましたが、時間内に開始されませんでした',
      }
    case 'killed':
      return {
        en: `${en} was ended by ${end.signal ?? 'a signal'}`,
        ja: `${ja} は ${end.signal ?? 'シグナル'} で終了しました`,
      }
    case 'failed':
      return end.exitCode === undefined
        ? { en: `${en} failed`, ja: `${ja} は失敗しました` }
        : {
            en: `${en} failed with exit code ${end.exitCode}`,
            ja: `${ja} は終了コード ${end.exitCode} で失敗しました`,
          }
    case 'stopped':
      return { en: `${en} was stopped`, ja: `${ja} を停止しました` }
    case 'task-left':
      return taskLeft(end)
    case 'runner-stopped':
      return { en: 'It was stopped with its Runner', ja: 'Runner の停止とともに停止しました' }
    case 'taken-away':
      return {
        en: 'It was stopped, since its agent is disabled, its project archived, or another instance took its place',
        ja: 'エージェントの無効化、プロジェクトのアーカイブ、または別のインスタンスへの交代により停止しました',
      }
    case 'hub-away':
      return {
        en: 'Its Runner stopped it, since the hub could not be reached for too long',
        ja: 'ハブに長時間接続できなかったため、Runner が停止しました',
      }
    case 'lingered':
      return {
        en: 'It signed out, did not end, and was stopped',
        ja: 'サインアウト後に終了しなかったため停止しました',
      }
    case 'runner-lost':
      return {
        en: 'Its Runner was killed, and what was left of it was ended',
        ja: 'Runner が強制終了し、残っていたプロセスを終了しました',
      }
    case 'hub-lost':
      return { en: 'The hub ended while it ran', ja: '実行中にハブが終了しました' }
    case 'silent':
      return {
        en: 'Neither it nor its Runner was heard of any more',
        ja: 'エージェントからも Runner からも応答がなくなりました',
      }
    default:
      return { en: `${en} ended`, ja: `${ja} は終了しました` }
  }
}

function taskLeft({ handle, status, person, assignee }: RunEnd): Text {
  const en = handle ?? 'its task'
  const ja = handle ?? 'タスク'
  const by = person === undefined ? { en: '', ja: '' } : { en: ` by ${person}`, ja: `${person} が ` }
  if (status !== undefined)
    return {
      en: `The agent was stopped because ${en} was moved to ${status}${by.en}`,
      ja: `${by.ja}${ja} を「${(STATUS_JA as Partial<Record<string, string>>)[status] ?? status}」に移動したため、エージェントを停止しました`,
    }
  if (assignee !== undefined)
    return {
      en: `The agent was stopped because ${en} was given to ${assignee}${by.en}`,
      ja: `${by.ja}${ja} の担当を ${assignee} に変更したため、エージェントを停止しました`,
    }
  return {
    en: `The agent was stopped because ${en} was taken from it${by.en}`,
    ja: `${by.ja}${ja} の担当を外したため、エージェントを停止しました`,
  }
}

function refused({ denied = [] }: RunEnd): Text {
  const names = [...new Set(denied)].join(', ')
  return {
    en: names === '' ? 'tool calls' : `its calls of ${names}`,
    ja: names === '' ? 'ツール呼び出し' : ` ${names} `,
  }
}

const READ_LOG: Text = {
  en: 'read its log (`toryo run logs <run>`)',
  ja: 'ログ (`toryo run logs <実行>`) を確認してください',
}

function whatToDo(end: RunEnd): Text | undefined {
  const command = end.command ?? 'it'
  const engine = end.engine ?? '<engine>'
  switch (end.kind) {
    case 'quota':
      return {
        en: `wait until the pause is over (\`toryo status\`), or top the account up and run \`toryo engine resume ${engine}\``,
        ja: `一時停止が終わる (\`toryo status\`) まで待つか、上限を上げてから \`toryo engine resume ${engine}\` を実行してください`,
      }
    case 'sign-in':
      return {
        en: `sign in with ${command} in a terminal of the Runner's machine, or give the Runner its key in the environment`,
        ja: `Runner のマシンのターミナルで ${command} を起動してログインするか、Runner の環境変数にキーを設定してください`,
      }
    case 'service':
      return {
        en: "check the service's status and this machine's network",
        ja: 'サービスの稼働状況とネットワークを確認してください',
      }
    case 'model':
      return {
        en: `choose another model in the settings of ${command}`,
        ja: `${command} の設定で別のモデルを選択してください`,
      }
    case 'denied':
      return {
        en: `allow them in the settings of ${command}, or change the task so that it does not need them`,
        ja: `${command} の設定で許可するか、不要になるようにタスクを変更してください`,
      }
    case 'silence':
      return {
        en: `${READ_LOG.en}, or raise ${end.setting ?? 'the limit'}`,
        ja: `${READ_LOG.ja}。${end.setting ?? '上限'} を増やすこともできます`,
      }
    case 'time-limit':
      return {
        en: `${READ_LOG.en}, then split the task or raise ${end.setting ?? 'the limit'}`,
        ja: `${READ_LOG.ja}。タスクを分けるか ${end.setting ?? '上限'} を増やしてください`,
      }
    case 'folder-missing':
      return {
        en: 'put the folder back, or start a Runner where it is',
        ja: 'フォルダーを戻すか、フォルダーのあるマシンで Runner を起動してください',
      }
    case 'not-started':
      return {
        en: "fix that on the Runner's machine; the log of the Runner has more",
        ja: 'Runner のマシンで原因を取り除いてください。詳細は Runner のログにあります',
      }
    case 'program-missing':
      return {
        en: `install it where the Runner runs, and check with \`toryo engine list\``,
        ja: 'Runner のマシンにインストールし、`toryo engine list` で確認してください',
      }
    case 'untrusted':
      return {
        en: 'look at the files, then run `toryo project trust <project>`',
        ja: 'ファイルを確認し、`toryo project trust <プロジェクト>` を実行してください',
      }
    case 'no-sign-in':
      return {
        en: `${READ_LOG.en} and check that its MCP server toryo was reached`,
        ja: `${READ_LOG.ja}。MCP サーバー toryo に接続できたかも確認してください`,
      }
    case 'no-task':
    case 'no-report':
    case 'signed-out':
    case 'killed':
    case 'failed':
    case 'unknown':
      return READ_LOG
    case 'not-taken-up':
    case 'silent':
      return {
        en: 'see with `toryo runner list` whether its Runner is there',
        ja: '`toryo runner list` で Runner の状態を確認してください',
      }
    default:
      return undefined
  }
}
