import { command } from '../define.ts'
import { ago } from '../format.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { runnerTexts } from '../texts-runner.ts'
import { texts } from '../texts.ts'

export default command({
  summary: { en: 'List the tokens that were created', ja: '作成したトークンの一覧' },
  order: 2,
  when: {
    en: 'To see who may use the hub from elsewhere.',
    ja: 'ほかのマシンからハブを使えるトークンを確認するときに。',
  },
  examples: [['toryo token list', { en: 'with their last use', ja: '最終使用時刻つき' }]],
  output: 'token.list',
  async run(cx) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await hub.call('token.list', {})
    if (page.tokens.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No tokens yet. Create one with `toryo token create <name>`.',
          ja: 'トークンはまだありません。`toryo token create <名前>` で作成できます。',
        }),
      }
    const when = (iso: string | null) =>
      iso === null ? io.say(runnerTexts.never) : ago(iso, io.now(), io.lang, 'narrow')
    const text = () =>
      table(
        page.tokens,
        [
          { title: io.say(texts.name), value: row => row.name },
          {
            title: io.say(texts.status),
            ...stateColumn(io, (row: { revoked_at: string | null }) =>
              row.revoked_at === null ? 'active' : 'revoked',
            ),
          },
          { title: io.say(texts.created), value: row => when(row.created_at) },
          { title: io.say({ en: 'USED', ja: '最終使用' }), value: row => when(row.last_used_at) },
        ],
        io,
      )
    return { json: page, text }
  },
})
