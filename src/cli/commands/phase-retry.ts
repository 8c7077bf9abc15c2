import { command } from '../define.ts'
import { PHASES, somewhere } from '../options.ts'
import { argument, option } from '../texts-help.ts'

const words = {
  retried: (phase: string) => ({ en: `${phase} is in progress again.`, ja: `${phase} を再開しました。` }),
}

export default command<[project?: string], { phase?: string }>({
  summary: { en: 'Start a failed phase again', ja: '失敗したフェーズを再開' },
  order: 3,
  when: { en: 'When a phase failed and should be tried again.', ja: '失敗したフェーズをやり直すときに。' },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [{ flags: '--phase <phase>', text: option.phase, choices: PHASES }],
  examples: [['toryo phase retry shop', { en: 'the one that failed', ja: '失敗したフェーズを再開' }]],
  output: 'phase.retry',
  async run(cx, { phase }, project) {
    const hub = await cx.connect()
    const retried = await hub.call('phase.retry', { ...somewhere(project, cx.io.cwd), phase })
    return { json: retried, text: cx.io.say(words.retried(retried.phase)) }
  },
})
