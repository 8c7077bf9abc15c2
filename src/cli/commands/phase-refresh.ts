import { command } from '../define.ts'
import { somewhere } from '../options.ts'
import { about, argument } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'

export default command<[project?: string]>({
  about: about.phaseRefresh,
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  examples: [['toryo phase refresh shop', { en: 'after an edit of its prompt', ja: 'プロンプトの編集後に' }]],
  async run(cx, _, project) {
    const { io } = cx
    const hub = await cx.connect()
    const adopted = await hub.call('phase.refresh', somewhere(project, io.cwd))
    const changed = adopted.prompts.filter(prompt => prompt.changed)
    const lines = changed.map(({ language, version, previous_version: before }) =>
      io.say(phaseTexts.adopted(adopted.phase, language, version, before)),
    )
    return { json: adopted, text: lines.join('\n') || io.say(phaseTexts.nothingToAdopt(adopted.phase)) }
  },
})
