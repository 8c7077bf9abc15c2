import type { Lang } from '#contract/errors.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { languageOption, promptProject } from '../options.ts'
import { table } from '../table.ts'
import { phaseTexts } from '../texts-phase.ts'
import { texts } from '../texts.ts'

export default command<[], { language?: Lang; project?: string }>({
  options: [languageOption, promptProject],
  examples: [['toryo phase prompt list --language ja', { en: 'the Japanese ones', ja: '日本語のもの' }]],
  async run(cx, { language, project }) {
    const { io } = cx
    const hub = await cx.connect()
    const list = await hub.call('phase.prompt.list', { language, project_id: project })
    type Row = (typeof list.prompts)[number]
    const made = (at: string | null) => (at === null ? io.say(phaseTexts.shipped) : ago(at, io.now(), io.lang))
    const text = () =>
      table(
        list.prompts,
        [
          { title: io.say(phaseTexts.phase), value: row => row.phase },
          { title: io.say(phaseTexts.version), value: row => String(row.version) },
          { title: io.say(texts.title), value: row => row.title, prose: true },
          ...(project === undefined
            ? []
            : [{ title: io.say(phaseTexts.of), value: (row: Row) => row.project_id ?? io.say(phaseTexts.theHub) }]),
          { title: io.say(phaseTexts.author), value: row => row.author },
          { title: io.say(texts.created), value: row => made(row.created_at) },
        ],
        io,
      )
    return { json: list, text, ...(list.remote && { note: io.say(phaseTexts.remote) }) }
  },
})
