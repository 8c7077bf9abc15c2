import type { Lang } from '#contract/errors.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { editText } from '../editor.ts'
import { visibleLine } from '../escape.ts'
import { languageOption, PHASES, promptProject, textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'

export default command<[phase: string], { language?: Lang; content?: string; project?: string }>({
  about: about.promptEdit,
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [languageOption, promptProject, { flags: '--content <text | @file | ->', text: option.promptContent }],
  examples: [
    ['toryo phase prompt edit phase0', { en: 'in your editor', ja: 'エディターで編集' }],
    ['toryo phase prompt edit phase0 --project shop', { en: 'for one project alone', ja: '1 つのプロジェクト専用' }],
    ['toryo phase prompt edit phase0 --content @phase0.md', { en: 'from a file', ja: 'ファイルから' }],
  ],
  async run(cx, { language, content, project }, phase) {
    const hub = await cx.connect()
    const before = await hub.call('phase.prompt.show', { phase, language, project_id: project })
    const text = content === undefined ? editText(before.content, phase, cx.io) : await given(content, cx)
    // Somebody else's edit in the meantime is not overwritten.
    const input = { phase, language, content: text, base_version: before.base_version, project_id: project }
    const prompt = await hub.call('phase.prompt.edit', input)
    if (prompt.version === before.base_version) return { json: prompt, text: cx.io.say(phaseTexts.unchanged(phase)) }
    const keepers = prompt.kept_by.map(visibleLine).join(', ')
    return {
      json: prompt,
      text: cx.io.say(phaseTexts.edited(phase, prompt.version, prompt.project_id)),
      ...(keepers && { note: cx.io.say(phaseTexts.keptBy(keepers)) }),
    }
  },
})

async function given(content: string, { io }: Context): Promise<string> {
  if (content !== '-') return textOrFile(content, io.cwd) ?? ''
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Buffer))
  return Buffer.concat(chunks).toString('utf8')
}
