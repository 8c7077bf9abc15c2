import { command } from '../define.ts'
import { PHASES, somewhere, textOrFile } from '../options.ts'
import { argument, option } from '../texts-help.ts'

const words = {
  wentBack: (phase: string, left: string) => ({
    en: `${phase} is in progress again${left === '' ? '' : `; ${left} will follow once more`}.`,
    ja: `${phase} に戻りました。${left === '' ? '' : `${left} はあらためて行います。`}`,
  }),
}

export default command<[phase: string, project?: string], { reason: string }>({
  summary: { en: 'Go back to a completed phase', ja: '完了したフェーズに戻る' },
  order: 4,
  when: { en: 'When an earlier phase must be done again.', ja: '前のフェーズからやり直すときに。' },
  about: {
    en: 'The phases after it wait and will be gone through again. What they left behind stays on record; `toryo phase history` shows it.',
    ja: 'それより後のフェーズは未開始に戻り、あらためて行います。これまでの記録は残り、`toryo phase history` で確認できます。',
  },
  arguments: [
    { name: '<phase>', text: argument.phase, choices: PHASES },
    { name: '[project]', text: argument.projectOrHere },
  ],
  options: [{ flags: '--reason <text | @file>', text: option.phaseReason, required: true }],
  examples: [
    [
      'toryo phase back phase1 shop --reason "the plan forgot payments"',
      { en: 'the agent that comes next reads why', ja: '理由は次のエージェントに伝わる' },
    ],
  ],
  output: 'phase.back',
  async run(cx, { reason }, phase, project) {
    const text = textOrFile(reason, cx.io.cwd) ?? ''
    const hub = await cx.connect()
    const back = await hub.call('phase.back', { ...somewhere(project, cx.io.cwd), phase, reason: text })
    return { json: back, text: cx.io.say(words.wentBack(back.phase, back.left.join(', '))) }
  },
})
