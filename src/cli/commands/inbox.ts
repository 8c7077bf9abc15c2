import type { InboxItem } from '#contract/inbox.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { inboxText, titleOf } from '../inbox-text.ts'
import { projectHere, projectOption } from '../project-here.ts'

const words = {
  none: { en: 'Nothing needs you.', ja: '対応が必要なものはありません。' },
  elsewhere: (count: number) => ({
    en: `${count} more in other projects: \`toryo inbox --project all\`.`,
    ja: `ほかのプロジェクトに ${count} 件あります: \`toryo inbox --project all\``,
  }),
  dismissed: (what: string) => ({ en: `Put aside: ${what}.`, ja: `対応済みにしました: ${what}` }),
  unknown: (what: string) => ({
    en: `Nothing in the inbox is called ${JSON.stringify(what)}; \`toryo inbox\` lists what is there.`,
    ja: `対応待ちに ${JSON.stringify(what)} はありません。\`toryo inbox\` で一覧を確認できます。`,
  }),
}

export default command<[], { project?: string; dismiss?: string }>({
  summary: { en: 'What needs you, and the command for each', ja: '対応が必要なものと、そのコマンド' },
  group: 'work',
  order: 5,
  when: {
    en: 'When you come back: what waits for you, with the command for each.',
    ja: '席に戻ったときに。対応待ちと、それぞれのコマンドを表示します。',
  },
  about: {
    en: 'Questions of agents, dialogs in tabs, work to review, failed runs, folders to trust, paused or missing engines, handoffs without a recipient, messages that did not arrive, overlaps, replaced decisions that an agent still follows, and crews and phases that have ended, the one that waits longest first. What is dealt with anywhere disappears from it.',
    ja: 'エージェントの質問、タブの確認画面、レビュー待ちの作業、失敗した実行、承認待ちのフォルダー、一時停止中または見つからないエンジン、引き受け手のない引き継ぎ、届かなかったメッセージ、作業の重複、作業中のエージェントが従っている古い決定、終了したクルーとフェーズを、古い順に表示します。どこかで対応すれば一覧から消えます。',
  },
  options: [
    projectOption,
    {
      flags: '--dismiss <item>',
      text: {
        en: 'Put one aside: a handle, a branch, a run or its item_id',
        ja: '1 件を対応済みにする: ハンドル、ブランチ、実行、または item_id',
      },
    },
  ],
  examples: [
    ['toryo inbox', { en: 'all that waits for you', ja: '対応待ちをすべて表示' }],
    ['toryo inbox --project shop --json', { en: 'for a script', ja: 'スクリプト用' }],
    ['toryo inbox --dismiss run_…', { en: 'seen, nothing more to do', ja: '確認だけして一覧から外す' }],
  ],
  output: ['inbox.list', 'inbox.seen'],
  async run(cx, { project, dismiss }) {
    const { io } = cx
    const hub = await cx.connect()
    const here = dismiss === undefined ? await projectHere(cx, hub, project) : undefined
    const answer = await hub.call('inbox.list', { project_id: here })
    if (dismiss !== undefined) {
      const item = answer.items.find(one => isCalled(one, dismiss))
      if (!item) throw CliError.USAGE({ text: words.unknown(dismiss) })
      await hub.call('inbox.seen', { item_id: item.item_id })
      return { json: { item_id: item.item_id }, text: io.say(words.dismissed(titleOf(item))) }
    }
    // What another project needs must not be missed for being in this one's folder.
    const others = here === undefined ? 0 : (await hub.call('inbox.count', {})).count - answer.items.length
    const more = others > 0 && project === undefined ? [io.say(words.elsewhere(others))] : []
    const note = [...(answer.items.length === 0 ? [io.say(words.none)] : []), ...more].join('\n')
    return { json: answer, text: () => inboxText(answer.items, io), ...(note !== '' && { note }) }
  },
})

function isCalled({ item_id, handle, title, run_id, tab_id, task_id, kind }: InboxItem, word: string): boolean {
  return [item_id, handle, run_id, tab_id, task_id].includes(word) || (kind === 'tab_waits' && title === word)
}
