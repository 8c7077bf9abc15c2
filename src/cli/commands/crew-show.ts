import { stateWord } from '../states.ts'
import { results, runTable } from '../crew-text.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

export default command<[crew: string]>({
  summary: { en: 'Show a crew and what came of it', ja: 'クルーとその結果を表示' },
  order: 3,
  when: { en: 'To see how the runs of a crew went.', ja: 'クルーの各実行の結果を見るときに。' },
  arguments: [{ name: '<crew>', text: argument.crew }],
  examples: [['toryo crew show grp-…', { en: 'its runs and what they reported', ja: '実行とその報告' }]],
  output: 'crew.run',
  async run(cx, _, crewId) {
    const { io } = cx
    const hub = await cx.connect()
    const { crew, runs } = await hub.call('crew.show', { crew_id: crewId })
    const title = `${io.colors.bold(visibleLine(crew.description))} (${crew.crew_id}, ${stateWord(crew.mode, cx.io)}, ${stateWord(crew.status, cx.io)})`
    const parts = () => (runs.length === 0 ? [title] : [`${title}\n${runTable(runs, io)}`, results(runs, io)])
    return {
      json: { crew, runs },
      text: () => parts().filter(Boolean).join('\n\n'),
      ...(runs.length === 0 && {
        note: io.say({ en: 'This crew has no runs.', ja: 'このクルーに実行はありません。' }),
      }),
    }
  },
})
