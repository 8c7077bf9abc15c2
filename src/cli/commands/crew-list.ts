import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption } from '../options.ts'
import { statusColour } from '../status-colour.ts'
import { table } from '../table.ts'
import { crewTexts } from '../texts-crew.ts'
import { texts } from '../texts.ts'

export default command<[], { limit: number }>({
  options: [limitOption],
  examples: [['toryo crew list', { en: 'newest first', ja: '新しい順' }]],
  async run(cx, { limit }) {
    const { io } = cx
    const hub = await cx.connect()
    const page = await listAll(limit, 'crews', page => hub.call('crew.list', page))
    if (page.crews.length === 0) return { json: page, text: '', note: io.say(crewTexts.noCrews) }
    const text = () =>
      table(
        page.crews,
        [
          { title: io.say(crewTexts.crew), value: crew => crew.groupId },
          { title: io.say(texts.status), value: crew => crew.status, colour: statusColour(io) },
          { title: io.say(crewTexts.mode), value: crew => crew.mode, optional: true },
          { title: io.say(crewTexts.runs), value: crew => String(crew.runs) },
          { title: io.say(crewTexts.open), value: crew => String(crew.open) },
          {
            title: io.say(texts.created),
            value: crew => ago(crew.createdAt, io.now(), io.lang, 'narrow'),
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
