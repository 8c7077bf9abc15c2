import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { limitOption, somewhere } from '../options.ts'
import { table } from '../table.ts'
import { memoryTexts } from '../texts-memory.ts'
import { texts } from '../texts.ts'

export default command<[keyword: string], { project?: string; limit: number }>({
  summary: { en: 'Find topics and decisions with a word', ja: '言葉を含むトピックと決定を探す' },
  order: 4,
  when: {
    en: 'When you know a word that was used, in Japanese or English.',
    ja: '使われた言葉がわかっているときに (日本語・英語)。',
  },
  arguments: [
    { name: '<keyword>', text: { en: 'What to look for; % and _ are letters', ja: '検索語 (% と _ もただの文字)' } },
  ],
  options: [projectOption, limitOption],
  examples: [
    ['toryo memory search JWT --project shop', { en: 'every topic and decision with it', ja: '含むものすべて' }],
  ],
  output: 'memory.search',
  async run(cx, { project, limit }, keyword) {
    const { io } = cx
    const hub = await cx.connect()
    const found = await hub.call('memory.search', { ...somewhere(project, io.cwd), keyword, limit })
    const rows = [
      ...found.decisions.map(one => ({ kind: 'decision', id: one.id, text: `${one.decision} — ${one.reason}` })),
      ...found.topics.map(one => ({
        kind: 'topic',
        id: one.id,
        text: [one.title, one.description].filter(Boolean).join(' — '),
      })),
    ]
    if (rows.length === 0) return { json: found, text: '', note: io.say(memoryTexts.nothingFound) }
    const text = () =>
      table(
        rows,
        [
          { title: io.say({ en: 'KIND', ja: '種類' }), value: row => row.kind },
          { title: io.say(texts.id), value: row => String(row.id) },
          { title: io.say({ en: 'FOUND', ja: '内容' }), value: row => row.text, prose: true },
        ],
        io,
      )
    return { json: found, text }
  },
})
