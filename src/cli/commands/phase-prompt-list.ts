import type { Lang } from '#contract/errors.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { languageOption, promptProject } from '../options.ts'
import { table } from '../table.ts'
import { phaseTexts } from '../texts-phase.ts'
import { texts } from '../texts.ts'

export default command<[], { language?: Lang; project?: string }>({
  summary: { en: 'List the prompts in force', ja: '有効なプロンプトの一覧' },
  order: 1,
  when: {
    en: 'To see the prompts of the phases and their versions.',
    ja: '各フェーズのプロンプトとバージョンを確認するときに。',
  },
  options: [languageOption, promptProject],
  examples: [['toryo phase prompt list --language ja', { en: 'the Japanese ones', ja: '日本語のもの' }]],
  output: 'phase.prompt.list',
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
            : [
                {
                  title: io.say({ en: 'OF', ja: '適用範囲' }),
                  value: (row: Row) => row.project_id ?? io.say({ en: 'the hub', ja: 'ハブ' }),
                },
              ]),
          { title: io.say(phaseTexts.author), value: row => row.author },
          { title: io.say(texts.created), value: row => made(row.created_at) },
        ],
        io,
      )
    return {
      json: list,
      text,
      ...(list.remote && {
        note: io.say({
          en: 'Prompts come from the source in the configuration at present; these serve when there is none.',
          ja: '現在は設定された提供元のプロンプトが使われます。以下は提供元がないときに使われます。',
        }),
      }),
    }
  },
})
