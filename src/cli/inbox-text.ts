// What waits for a person, as the command line says it: what it is, what is asked, and the command that deals with it.
import type { Text } from '#contract/errors.ts'
import type { InboxItem } from '#contract/inbox.ts'
import type { InboxKind } from '#contract/inbox-values.ts'
import { visible, visibleLine } from './escape.ts'
import { ago } from './format.ts'
import type { Io } from './io.ts'
import { cut, widthOf } from './width.ts'
import { wrap } from './wrap.ts'

/** More of a question or a screen is for `task show` and `tab attach`. */
const DETAIL_LINES = 6

const KINDS: Readonly<Record<InboxKind, Text>> = {
  blocked: { en: 'asks', ja: '質問' },
  tab_waits: { en: 'dialog', ja: '確認待ち' },
  run_failed: { en: 'failed', ja: '失敗' },
  review: { en: 'review', ja: 'レビュー' },
  undo_failed: { en: 'not undone', ja: '取り消し失敗' },
  untrusted: { en: 'trust', ja: '承認' },
  command: { en: 'new command', ja: 'コマンド確認' },
  engine_paused: { en: 'paused', ja: '一時停止' },
  not_startable: { en: 'cannot start', ja: '起動不可' },
  no_agent: { en: 'no agent', ja: '担当なし' },
  no_runner: { en: 'no Runner', ja: 'Runner なし' },
  disk_low: { en: 'disk', ja: 'ディスク' },
  handoff: { en: 'handoff', ja: '引き継ぎ' },
  message_failed: { en: 'not delivered', ja: '未配信' },
  overlap: { en: 'overlap', ja: '重複' },
  decision_replaced: { en: 'old decision', ja: '古い決定' },
  crew_ended: { en: 'crew done', ja: 'クルー完了' },
  phase_ended: { en: 'phase ended', ja: 'フェーズ終了' },
}

/** Not everything that is blocked is a question. */
function kindOf({ kind, check, merge }: InboxItem): Text {
  if (kind !== 'blocked') return KINDS[kind]
  if (check !== null) return { en: 'check failed', ja: 'チェック失敗' }
  return merge === 'conflict' ? { en: 'does not merge', ja: '競合' } : KINDS.blocked
}

const QUESTION: Readonly<Record<InboxKind, Text | undefined>> = {
  blocked: { en: 'It is blocked, and no reason was given.', ja: 'ブロックされています (理由の記載なし)。' },
  tab_waits: { en: 'Its program shows a dialog.', ja: 'プログラムが確認を求めています。' },
  run_failed: undefined,
  review: { en: 'The work is reported and waits for your verdict.', ja: '作業が報告され、判定を待っています。' },
  undo_failed: undefined,
  untrusted: undefined,
  command: undefined,
  engine_paused: undefined,
  not_startable: undefined,
  no_agent: {
    en: 'It is in progress, but no agent works on it.',
    ja: '作業中ですが、担当のエージェントがいません。',
  },
  no_runner: undefined,
  disk_low: undefined,
  handoff: undefined,
  message_failed: undefined,
  overlap: undefined,
  decision_replaced: undefined,
  crew_ended: { en: 'It ended well. Look at what it did.', ja: '正常に終了しました。結果を確認してください。' },
  phase_ended: { en: 'An agent ended it without a summary.', ja: 'エージェントが終了しました (要約なし)。' },
}

/** What to type. Null: nothing on a command line deals with it. */
export function commandFor({ kind, command }: Pick<InboxItem, 'kind' | 'command'>): string | null {
  if (command === null) return null
  return kind === 'blocked' ? `${command} "…"` : command
}

export function inboxText(items: readonly InboxItem[], io: Io): string {
  return items.map(item => itemText(item, io)).join('\n\n')
}

/** One line for a log or a notice: `? shop-12 Fix the login: Cookie or bearer? (toryo task answer shop-12 "…")`. */
export function noticeLine(item: InboxItem, io: Pick<Io, 'say'>): string {
  const what = io.say(kindOf(item))
  const detail = firstLine(item)
  const command = commandFor(item)
  const said = detail === '' ? '' : `: ${detail}`
  const todo = command === null ? '' : ` (${visibleLine(command)})`
  return `${markOf(item)} ${titleOf(item)} [${what}]${said}${todo}`
}

/** What failed is no question, though a person has to say how it goes on. */
export function markOf({ kind, check, merge }: InboxItem): '?' | '✗' {
  return kind === 'blocked' && (check !== null || merge !== null) ? '✗' : '?'
}

export function titleOf({ handle, title }: Pick<InboxItem, 'handle' | 'title'>): string {
  return [handle, title].flatMap(part => (part === null ? [] : visibleLine(part))).join(' ')
}

function itemText(item: InboxItem, io: Io): string {
  const { colors } = io
  const width = io.width ?? Number.POSITIVE_INFINITY
  const facts = [item.agent_name, item.engine, item.project_name].flatMap(part =>
    part === null || part === item.title ? [] : visibleLine(part),
  )
  const since = item.since === null ? [] : [ago(item.since, io.now(), io.lang, 'narrow')]
  const until = item.until === null ? [] : [io.say(words.until(ago(item.until, io.now(), io.lang, 'narrow')))]
  const waiting = item.held_up > 0 ? [io.say(words.heldUp(item.held_up))] : []
  const kind = io.say(kindOf(item))
  const head = cut(titleOf(item), width - widthOf(kind) - 3)
  const about = cut([...facts, ...since, ...until, ...waiting].join(' · '), width - 2)
  const command = commandFor(item)
  return [
    `${colors.yellow(kind)}  ${colors.bold(head)}`,
    ...(about === '' ? [] : [`  ${colors.dim(about)}`]),
    ...detailOf(item, io).map(line => `  ${cut(line, width - 2)}`),
    ...outputOf(item).map(line => `  ${colors.dim('│')} ${cut(line, width - 4)}`),
    ...(command === null ? [] : [command, ...otherCommands(item)]).map(
      line => `  ${colors.cyan(`→ ${visibleLine(line)}`)}`,
    ),
  ].join('\n')
}

/** Besides saying what to do: of work whose check failed. */
function otherCommands({ check, handle }: InboxItem): string[] {
  if (check === null || handle === null) return []
  return [
    `toryo run logs ${handle} --check ${check.name}`,
    `toryo task start ${handle} --agent <agent>`,
    `toryo task review ${handle} --accept`,
  ]
}

function detailOf({ kind, detail }: InboxItem, io: Io): string[] {
  const said = detail ?? (QUESTION[kind] && io.say(QUESTION[kind]))
  if (said === undefined || said.trim() === '') return []
  const lines = wrap(visible(said.trim()), Math.max(20, (io.width ?? 100) - 4)).split('\n')
  // Of a screen the end says what is asked, of prose the beginning.
  const shown = kind === 'tab_waits' ? lines.slice(-DETAIL_LINES) : lines.slice(0, DETAIL_LINES)
  return shown.length < lines.length && kind !== 'tab_waits' ? [...shown.slice(0, -1), `${shown.at(-1)} …`] : shown
}

function outputOf({ check }: InboxItem): string[] {
  return check === null || check.tail === '' ? [] : visible(check.tail).split('\n')
}

/** Of a failure the first sentence: what follows says how to look at it. */
function firstLine({ detail, check }: InboxItem): string {
  const line = visibleLine(detail ?? '')
  return cut(check === null ? line : (/^.*?(?:[.!?](?= )|。)/.exec(line)?.[0] ?? line), 120)
}

const words = {
  until: (when: string) => ({ en: `ends ${when}`, ja: `${when}に終了` }),
  heldUp: (count: number) => ({
    en: count === 1 ? '1 task waits for it' : `${count} tasks wait for it`,
    ja: `${count} 件のタスクが待機中`,
  }),
}
