import { PHASE_STATUS_JA } from '#contract/state-words.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { ago } from '../format.ts'
import { somewhere } from '../options.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { argument } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'
import { texts } from '../texts.ts'

const words = {
  inRound: (round: number) => ({ en: `round ${round}`, ja: `${round} 周目` }),
}

export default command<[project?: string]>({
  summary: { en: 'Show where a project stands', ja: 'プロジェクトの現在のフェーズを表示' },
  order: 1,
  when: { en: 'To see in which phase a project is.', ja: 'プロジェクトが今どのフェーズにあるかを見るときに。' },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  examples: [['toryo phase status', { en: 'the project of this folder', ja: 'このフォルダーのプロジェクト' }]],
  output: 'phase.status',
  async run(cx, _, project) {
    const { io } = cx
    const hub = await cx.connect()
    const status = await hub.call('phase.status', somewhere(project, io.cwd))
    if (status.project_id === null)
      return {
        json: status,
        text: '',
        note: io.say({
          en: 'No project works in this folder yet. An agent that calls inject_phase_prompt here makes one and starts phase0.',
          ja: 'このフォルダーのプロジェクトはまだありません。ここでエージェントが inject_phase_prompt を呼ぶと作成され、phase0 が始まります。',
        }),
      }
    const when = (at: string | null) => at && ago(at, io.now(), io.lang)
    const text = () =>
      table(
        status.phases,
        [
          { title: io.say(phaseTexts.phase), value: row => row.phase },
          { title: io.say(texts.status), ...stateColumn(io, row => row.status, PHASE_STATUS_JA) },
          { title: io.say({ en: 'OUTCOME', ja: '結果' }), ...stateColumn(io, row => row.outcome) },
          { title: io.say({ en: 'STARTED', ja: '開始' }), value: row => when(row.started_at) },
          { title: io.say({ en: 'ENDED', ja: '終了' }), value: row => when(row.completed_at) },
          { title: io.say({ en: 'CHECKPOINTS', ja: 'チェックポイント' }), value: row => String(row.checkpoints) },
          { title: io.say(phaseTexts.summary), value: row => row.summary ?? row.reason, prose: true },
        ],
        io,
      )
    const begun = status.phases.some(phase => phase.started_at !== null)
    const round = status.round > 1 ? ` · ${io.say(words.inRound(status.round))}` : ''
    const title = io.colors.bold(visibleLine(status.name ?? ''))
    return {
      json: status,
      text: () => `${title} (${status.project_id})${round}\n${text()}`,
      ...(!begun && { note: io.say(phaseTexts.notBegun) }),
    }
  },
})
