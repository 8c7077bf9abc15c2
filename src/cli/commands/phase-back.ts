import { command } from '../define.ts'
import { PHASES, somewhere, textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'

export default command<[phase: string, project?: string], { reason: string }>({
  about: about.phaseBack,
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
  async run(cx, { reason }, phase, project) {
    const text = textOrFile(reason, cx.io.cwd) ?? ''
    const hub = await cx.connect()
    const back = await hub.call('phase.back', { ...somewhere(project, cx.io.cwd), phase, reason: text })
    return { json: back, text: cx.io.say(phaseTexts.wentBack(back.phase, back.left.join(', '))) }
  },
})
