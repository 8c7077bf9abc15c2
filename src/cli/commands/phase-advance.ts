import type { Outcome } from '#contract/phases.ts'
import { command } from '../define.ts'
import { visible } from '../escape.ts'
import { OUTCOMES, PHASES, somewhere, textOrFile } from '../options.ts'
import { argument, option } from '../texts-help.ts'

type Options = { phase?: string; status: Outcome; summary?: string; output?: string[] }

export default command<[project?: string], Options>({
  summary: { en: 'End the phase in progress and start the next', ja: '進行中のフェーズを終え、次を始める' },
  order: 2,
  when: { en: 'When a phase is done and the next should begin.', ja: 'フェーズが終わり、次へ進むときに。' },
  about: {
    en: 'The same step that agents take with transition_to_next_phase. While files are missing that the prompt requires, only --status partial leads on.',
    ja: 'エージェントが transition_to_next_phase で行うのと同じ操作です。プロンプトが求めるファイルが足りない間は、--status partial でのみ先へ進めます。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [
    { flags: '--phase <phase>', text: option.phase, choices: PHASES },
    {
      flags: '--status <status>',
      text: { en: 'How it ends; failed stays where it is', ja: '終わり方 (`failed` は先へ進まない)' },
      choices: OUTCOMES,
      default: 'completed',
    },
    {
      flags: '--summary <text | @file>',
      text: {
        en: 'What the next phase must know: text, or @file',
        ja: '次のフェーズへの要約: 文章または @ファイル',
      },
    },
    {
      flags: '--output <file>',
      text: { en: 'A file that was made; may be given several times', ja: '作成したファイル (複数指定可)' },
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
  output: 'phase.advance',
  async run(cx, { phase, status, summary, output }, project) {
    const text = textOrFile(summary, cx.io.cwd)
    const hub = await cx.connect()
    const where = somewhere(project, cx.io.cwd)
    const step = await hub.call('phase.advance', { ...where, phase, status, summary: text, output_files: output })
    return { json: step, text: visible(step.message) }
  },
})
