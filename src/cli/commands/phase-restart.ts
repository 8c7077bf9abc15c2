import { command } from '../define.ts'
import { somewhere, textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'

export default command<[project?: string], { reason?: string }>({
  about: about.phaseRestart,
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [{ flags: '--reason <text | @file>', text: option.phaseReason }],
  examples: [['toryo phase restart shop --reason "version 2"', { en: 'the second round', ja: '2 周目を始める' }]],
  async run(cx, { reason }, project) {
    const text = textOrFile(reason, cx.io.cwd)
    const hub = await cx.connect()
    const begun = await hub.call('phase.restart', { ...somewhere(project, cx.io.cwd), reason: text })
    return { json: begun, text: cx.io.say(phaseTexts.restarted(begun.round, begun.phase)) }
  },
})
