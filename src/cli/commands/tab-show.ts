import { MESSAGE_STATE_JA, TAB_STATUS_JA } from '#contract/state-words.ts'
import type { ApiOutput } from '#contract/api.ts'
import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { ago, moment, pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { overlapLines } from '../overlap-text.ts'
import { stateText, stateWord } from '../states.ts'
import { table } from '../table.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'
import { worktreeTexts } from '../texts-worktree.ts'

type Tab = ApiOutput<'tab.show'>

export default command<[tab: string]>({
  summary: { en: 'Show a tab, its screen and its last messages', ja: 'タブと画面、最近のメッセージを表示' },
  order: 3,
  when: {
    en: "To see a tab's screen and messages without attaching.",
    ja: '接続せずにタブの画面とメッセージを見るときに。',
  },
  arguments: [{ name: '<tab>', text: argument.tab }],
  examples: [
    [
      'toryo tab show tab_…',
      { en: 'what it is, what it shows, its last messages', ja: '詳細と画面、最近のメッセージ' },
    ],
  ],
  output: 'tab.show',
  async run(cx, _, tabId) {
    const hub = await cx.connect()
    const tab = await hub.call('tab.show', { tab_id: tabId })
    const parts = () => [head(tab, cx.io), messages(tab, cx.io), screen(tab, cx.io)]
    return { json: tab, text: () => parts().filter(Boolean).join('\n\n') }
  },
})

function head(tab: Tab, io: Io): string {
  const facts = pairs(
    [
      [io.say(texts.status), stateText(tab.status, io, TAB_STATUS_JA)],
      [io.say(texts.engine), visibleLine(tab.engine)],
      [io.say(texts.project), visibleLine(tab.project_id)],
      [io.say(worktreeTexts.branch), visibleLine(tab.branch)],
      [io.say(worktreeTexts.path), tab.worktree_path && visibleLine(tab.worktree_path)],
      [io.say({ en: 'OPEN IN EDITOR', ja: 'エディターで開く' }), tab.worktree_path && `toryo tab open ${tab.tab_id}`],
      [
        io.say(worktreeTexts.setup),
        tab.setup &&
          [stateWord(tab.setup, io), tab.setup_error]
            .filter(Boolean)
            .map(part => visible(String(part)))
            .join(': '),
      ],
      [io.say({ en: 'OVERLAPS WITH', ja: '重なる作業' }), overlapLines(tab.overlaps, io)],
      [io.say({ en: 'SESSION', ja: 'セッション' }), tab.session_id && visibleLine(tab.session_id)],
      [io.say({ en: 'MAY DO', ja: '権限' }), tab.permission],
      [io.say({ en: 'LAUNCHED BY', ja: '起動元' }), visibleLine(tab.launched_by)],
      [io.say(texts.created), moment(tab.created_at, io)],
      [
        io.say({ en: 'ENDED', ja: '終了' }),
        tab.ended_at &&
          `${moment(tab.ended_at, io)} ${stateWord(tab.end_reason ?? '', io)} ${tab.exit_code ?? ''}`.trim(),
      ],
      [io.say({ en: 'PROBLEM', ja: '問題' }), tab.problem && visible(tab.problem)],
    ],
    io,
  )
  return `${io.colors.bold(tab.tab_id)}\n${facts}`
}

/** Now, or when it ended. */
function screen({ screen: now, last_screen: last }: Tab, io: Io): string {
  const lines = now ?? last
  if (!lines || lines.length === 0) return ''
  const title = now ? { en: 'Its screen', ja: '現在の画面' } : { en: 'What it showed last', ja: '最後の画面' }
  return `${io.colors.bold(io.say(title))}\n${visible(lines.join('\n'))}`
}

function messages(tab: Tab, io: Io): string {
  if (tab.messages.length === 0) return ''
  const rows = table(
    tab.messages,
    [
      { title: io.say({ en: 'SENT', ja: '送信' }), value: row => ago(row.sent_at, io.now(), io.lang, 'narrow') },
      { title: io.say({ en: 'FROM', ja: '送信元' }), value: row => row.from },
      {
        title: io.say(texts.status),
        value: row =>
          stateWord(row.state, io, MESSAGE_STATE_JA) + (row.reason === null ? '' : ` (${stateWord(row.reason, io)})`),
      },
      { title: io.say({ en: 'MESSAGE', ja: 'メッセージ' }), value: row => row.message, prose: true },
    ],
    io,
  )
  return `${io.colors.bold(io.say({ en: 'Messages', ja: 'メッセージ' }))}\n${rows}`
}
