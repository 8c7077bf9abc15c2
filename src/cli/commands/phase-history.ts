import { stateWord } from '../states.ts'
import { command } from '../define.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption, somewhere } from '../options.ts'
import { table } from '../table.ts'
import { argument } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'
import { texts } from '../texts.ts'

export default command<[project?: string], { limit: number }>({
  summary: { en: 'List every step and round, newest first', ja: 'すべての経過の一覧 (新しい順)' },
  order: 7,
  when: { en: 'To see how a project went through its phases.', ja: 'プロジェクトのフェーズの経過を見るときに。' },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [limitOption],
  examples: [['toryo phase history shop', { en: 'newest first', ja: '新しい順' }]],
  output: 'phase.history',
  async run(cx, { limit }, project) {
    const { io } = cx
    const hub = await cx.connect()
    const where = somewhere(project, io.cwd)
    const page = await listAll(limit, 'steps', page => hub.call('phase.history', { ...where, ...page }))
    const what = (row: (typeof page.steps)[number]) =>
      (row.outcome && stateWord(row.outcome, io)) ??
      io.say(
        {
          ended: { en: 'ended', ja: '終了' },
          back: { en: 'sent back', ja: '差し戻し' },
          round: { en: 'another round', ja: '次の周回' },
        }[row.kind],
      )
    const text = () =>
      table(
        page.steps,
        [
          { title: io.say({ en: 'ROUND', ja: '周回' }), value: row => String(row.round) },
          { title: io.say(phaseTexts.phase), value: row => row.phase },
          { title: io.say({ en: 'STEP', ja: 'できごと' }), value: what },
          { title: io.say(texts.created), value: row => ago(row.at, io.now(), io.lang) },
          { title: io.say(phaseTexts.author), value: row => row.caller },
          { title: io.say(phaseTexts.summary), value: row => row.summary ?? row.reason, prose: true },
        ],
        io,
      )
    if (page.steps.length === 0) return { json: page, text: '', note: io.say(phaseTexts.notBegun) }
    return { json: page, text, ...(page.next_cursor ? { note: io.say(texts.more(page.steps.length)) } : {}) }
  },
})
