import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption } from '../options.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { crewTexts } from '../texts-crew.ts'
import { texts } from '../texts.ts'

export default command<[], { limit: number }>({
  summary: { en: 'List crews', ja: 'クルーの一覧' },
  order: 2,
  when: { en: 'To find a crew that you started earlier.', ja: '以前に起動したクルーを探すときに。' },
  options: [limitOption],
  examples: [['toryo crew list', { en: 'newest first', ja: '新しい順' }]],
  output: 'crew.list',
  async run(cx, { limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await listAll(limit, 'crews', page => hub.call('crew.list', page))
    if (page.crews.length === 0)
      return {
        json: page,
        text: '',
        note: io.say({
          en: 'No crews yet. `toryo crew run` starts one.',
          ja: 'クルーはまだありません。`toryo crew run` で開始します。',
        }),
      }
    const text = () =>
      table(
        page.crews,
        [
          { title: io.say(crewTexts.crew), value: crew => crew.crew_id },
          { title: io.say(texts.status), ...stateColumn(io, crew => crew.status) },
          { title: io.say({ en: 'Mode', ja: 'モード' }), ...stateColumn(io, crew => crew.mode), optional: true },
          { title: io.say({ en: 'Runs', ja: '実行数' }), value: crew => String(crew.runs) },
          { title: io.say({ en: 'Open', ja: '未終了' }), value: crew => String(crew.open) },
          {
            title: io.say(texts.created),
            value: crew => ago(crew.created_at, io.now(), io.lang, 'narrow'),
            optional: true,
          },
          { title: io.say(texts.description), value: crew => crew.description, prose: true },
        ],
        io,
      )
    const more = page.next_cursor ? { note: io.say(texts.more(page.crews.length)) } : {}
    return { json: page, text, ...more }
  },
})
