import type { Lang } from '#contract/errors.ts'
import { command } from '../define.ts'
import { visible } from '../escape.ts'
import { count, languageOption, PHASES, promptProject } from '../options.ts'
import { argument } from '../texts-help.ts'

export default command<[phase: string], { language?: Lang; revision?: number; project?: string }>({
  summary: { en: 'Print a prompt', ja: 'プロンプトを表示' },
  order: 2,
  when: { en: 'To read what an agent is given in a phase.', ja: 'フェーズでエージェントに渡される内容を読むときに。' },
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [
    languageOption,
    promptProject,
    {
      flags: '--revision <n>',
      text: { en: 'An earlier version', ja: '以前の版' },
      parse: value => count('--revision', value),
    },
  ],
  examples: [
    ['toryo phase prompt show phase0 > phase0.md', { en: 'into a file', ja: 'ファイルに保存' }],
    ['toryo phase prompt show phase0 --revision 1', { en: 'as it was', ja: '以前の版' }],
  ],
  output: 'phase.prompt.show',
  async run(cx, { language, revision, project }, phase) {
    const hub = await cx.connect()
    const prompt = await hub.call('phase.prompt.show', { phase, language, version: revision, project_id: project })
    return { json: prompt, text: visible(prompt.content) }
  },
})
