import type { Outcome } from '#contract/phases.ts'
import { command } from '../define.ts'
import { visible } from '../escape.ts'
import { OUTCOMES, PHASES, somewhere, textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'

type Options = { phase?: string; status: Outcome; summary?: string; output?: string[] }

export default command<[project?: string], Options>({
  about: about.phaseAdvance,
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [
    { flags: '--phase <phase>', text: option.phase, choices: PHASES },
    { flags: '--status <status>', text: option.outcome, choices: OUTCOMES, default: 'completed' },
    { flags: '--summary <text | @file>', text: option.phaseSummary },
    {
      flags: '--output <file>',
      text: option.output,
      takes: 'file',
      parse: (value, before) => [...((before as string[] | undefined) ?? []), value],
    },
  ],
  examples: [
    [
      'toryo phase advance shop --summary @summary.md --output docs/design.md',
      { en: 'with what the next phase must know', ja: '次のフェーズへの要約を添える' },
    ],
    ['toryo phase advance shop --status partial', { en: 'with something left open', ja: '残りがあるまま進む' }],
  ],
  async run(cx, { phase, status, summary, output }, project) {
    const text = textOrFile(summary, cx.io.cwd)
    const hub = await cx.connect()
    const where = somewhere(project, cx.io.cwd)
    const step = await hub.call('phase.advance', { ...where, phase, status, summary: text, output_files: output })
    return { json: step, text: visible(step.message) }
  },
})
