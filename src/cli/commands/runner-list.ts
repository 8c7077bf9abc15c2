import { command } from '../define.ts'
import { ago } from '../format.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { runnerTexts } from '../texts-runner.ts'
import { texts } from '../texts.ts'

export default command({
  summary: { en: 'List the Runners', ja: 'Runner の一覧' },
  order: 2,
  when: {
    en: 'To see which machines start agents for this hub.',
    ja: 'どのマシンがエージェントを起動するかを見るときに。',
  },
  examples: [['toryo runner list', { en: 'with what each can start', ja: '使えるエンジンつき' }]],
  output: 'runner.list',
  async run(cx) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await hub.call('runner.list', {})
    if (page.runners.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No Runner has connected yet. `toryo up` starts one.',
          ja: 'Runner はまだありません。`toryo up` に含まれています。',
        }),
      }
    const when = (iso: string | null) =>
      iso === null ? io.say(runnerTexts.never) : ago(iso, io.now(), io.lang, 'narrow')
    const text = () =>
      table(
        page.runners,
        [
          { title: io.say(texts.name), value: row => row.name },
          {
            title: io.say(texts.status),
            ...stateColumn(io, (row: { revoked_at: string | null }) =>
              row.revoked_at === null ? 'active' : 'revoked',
            ),
          },
          { title: io.say({ en: 'SEEN', ja: '最終応答' }), value: row => when(row.last_seen_at) },
          { title: io.say({ en: 'AGENTS', ja: '稼働数' }), value: row => String(row.instances) },
          { title: io.say({ en: 'ENGINES', ja: 'エンジン' }), value: row => row.engines.join(', '), prose: true },
        ],
        io,
      )
    return { json: page, text }
  },
})
