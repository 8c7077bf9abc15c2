import type { Lang } from '#contract/errors.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { languageOption, limitOption, PHASES, promptProject } from '../options.ts'
import { table } from '../table.ts'
import { argument } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'
import { texts } from '../texts.ts'

export default command<[phase: string], { language?: Lang; limit: number; project?: string }>({
  summary: { en: 'List the versions of a prompt', ja: 'プロンプトの版の一覧' },
  order: 5,
  when: { en: 'To see who changed a prompt, and when.', ja: 'プロンプトをいつ誰が変えたかを見るときに。' },
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [languageOption, promptProject, limitOption],
  examples: [['toryo phase prompt history phase3', { en: 'newest first', ja: '新しい順' }]],
  output: 'phase.prompt.history',
  async run(cx, { language, limit, project }, phase) {
    const { io } = cx
    const hub = await cx.connect()
    const shelf = { phase, language, project_id: project }
    const page = await listAll(limit, 'prompts', page => hub.call('phase.prompt.history', { ...shelf, ...page }))
    const made = (at: string | null) => (at === null ? io.say(phaseTexts.shipped) : ago(at, io.now(), io.lang))
    const text = () =>
      table(
        page.prompts,
        [
          { title: io.say(phaseTexts.version), value: row => String(row.version) },
          {
            title: io.say(texts.title),
            value: row =>
              row.bytes === 0 ? io.say({ en: "(the hub's again)", ja: '(ハブのものに戻した)' }) : row.title,
            prose: true,
          },
          { title: io.say(phaseTexts.author), value: row => row.author },
          { title: io.say(texts.created), value: row => made(row.created_at) },
          { title: io.say({ en: 'SHA-256', ja: 'SHA-256' }), value: row => row.sha256.slice(0, 12) },
        ],
        io,
      )
    return { json: page, text, ...(page.next_cursor ? { note: io.say(texts.more(page.prompts.length)) } : {}) }
  },
})
