import { command } from '../define.ts'
import { somewhere } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  adopted: (phase: string, language: string, version: number, before: number | null) => ({
    en: `${phase} goes on with version ${version} of its prompt (${language}${before === null ? '' : `; it had ${before}`}).`,
    ja: `${phase} のプロンプト (${language}) を版 ${version} に切り替えました${before === null ? '' : `（これまでは版 ${before}）`}。`,
  }),
  nothingToAdopt: (phase: string) => ({
    en: `${phase} has the newest prompt already.`,
    ja: `${phase} のプロンプトは既に最新です。`,
  }),
}

export default command<[project?: string]>({
  summary: {
    en: 'Adopt the newest prompt in the phase in progress',
    ja: '進行中のフェーズに最新のプロンプトを適用',
  },
  order: 6,
  when: {
    en: 'When a phase should go on with a prompt that changed meanwhile.',
    ja: '途中で変わったプロンプトを今のフェーズで使うときに。',
  },
  about: {
    en: 'A phase in progress keeps the prompt it started with, whatever is edited meanwhile. This makes it go on with the newest one; agents get it with their next inject_phase_prompt.',
    ja: '進行中のフェーズは、途中で編集されても開始時のプロンプトのまま続きます。このコマンドで最新のものに切り替わり、エージェントには次の inject_phase_prompt から渡されます。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  examples: [['toryo phase refresh shop', { en: 'after an edit of its prompt', ja: 'プロンプトの編集後に' }]],
  output: 'phase.refresh',
  async run(cx, _, project) {
    const { io } = cx
    const hub = await cx.connect()
    const adopted = await hub.call('phase.refresh', somewhere(project, io.cwd))
    const changed = adopted.prompts.filter(prompt => prompt.changed)
    const lines = changed.map(({ language, version, previous_version: before }) =>
      io.say(words.adopted(adopted.phase, language, version, before)),
    )
    return { json: adopted, text: lines.join('\n') || io.say(words.nothingToAdopt(adopted.phase)) }
  },
})
