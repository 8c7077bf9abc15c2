import type { Lang } from '#contract/errors.ts'
import { command } from '../define.ts'
import { languageOption, PHASES, promptProject } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  reset: (project: string, phase: string, version: number) => ({
    en: `${project} has the hub's prompt of ${phase} again (version ${version}).`,
    ja: `${project} の ${phase} はハブのプロンプト (版 ${version}) に戻りました。`,
  }),
}

export default command<[phase: string], { language?: Lang; project: string }>({
  summary: { en: "Give up a project's own prompt", ja: 'プロジェクト専用のプロンプトをやめる' },
  order: 4,
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [{ ...promptProject, required: true }, languageOption],
  examples: [['toryo phase prompt reset phase0 --project shop', { en: 'its versions stay', ja: '以前の版は残る' }]],
  async run(cx, { language, project }, phase) {
    const hub = await cx.connect()
    const prompt = await hub.call('phase.prompt.reset', { phase, language, project_id: project })
    return { json: prompt, text: cx.io.say(words.reset(project, phase, prompt.version)) }
  },
})
