import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { limitOption, somewhere } from '../options.ts'
import { table } from '../table.ts'
import { memoryHelp, memoryTexts } from '../texts-memory.ts'
import { texts } from '../texts.ts'

export default command<[keyword: string], { project?: string; limit: number }>({
  arguments: [{ name: '<keyword>', text: memoryHelp.keyword }],
  options: [projectOption, limitOption],
  examples: [
    ['toryo memory search JWT --project shop', { en: 'every topic and decision with it', ja: '含むものすべて' }],
  ],
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
          { title: io.say(memoryTexts.kind), value: row => row.kind },
          { title: io.say(texts.id), value: row => String(row.id) },
          { title: io.say(memoryTexts.found), value: row => row.text, prose: true },
        ],
        io,
      )
    return { json: found, text }
  },
})
