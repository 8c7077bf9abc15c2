import type { Lang } from '#contract/errors.ts'
import { command } from '../define.ts'
import { languageOption, PHASES } from '../options.ts'
import { needProject, neededProject } from '../project-here.ts'
import { argument } from '../texts-help.ts'

const words = {
  reset: (project: string, phase: string, version: number) => ({
    en: `${project} has the hub's prompt of ${phase} again (version ${version}).`,
    ja: `${project} の ${phase} はハブのプロンプト (版 ${version}) に戻りました。`,
  }),
}

export default command<[phase: string], { language?: Lang; project?: string }>({
  summary: { en: "Give up a project's own prompt", ja: 'プロジェクト専用のプロンプトをやめる' },
  order: 4,
  when: { en: "When a project should use the hub's prompt again.", ja: 'プロジェクトをハブのプロンプトに戻すときに。' },
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [neededProject, languageOption],
  examples: [['toryo phase prompt reset phase0 --project shop', { en: 'its versions stay', ja: '以前の版は残る' }]],
  output: 'phase.prompt.reset',
  async run(cx, { language, project }, phase) {
    const hub = await cx.connect()
    const project_id = await needProject(cx, hub, project)
    const prompt = await hub.call('phase.prompt.reset', { phase, language, project_id })
    return { json: prompt, text: cx.io.say(words.reset(project_id, phase, prompt.version)) }
  },
})
