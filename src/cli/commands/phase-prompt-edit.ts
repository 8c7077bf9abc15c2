import type { Lang } from '#contract/errors.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { editText } from '../editor.ts'
import { languageOption, PHASES, textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { phaseTexts } from '../texts-phase.ts'

export default command<[phase: string], { language?: Lang; content?: string }>({
  about: about.promptEdit,
  arguments: [{ name: '<phase>', text: argument.phase, choices: PHASES }],
  options: [languageOption, { flags: '--content <text | @file | ->', text: option.promptContent }],
  examples: [
    ['toryo phase prompt edit phase0', { en: 'in your editor', ja: 'エディターで編集' }],
    ['toryo phase prompt edit phase0 --content @phase0.md', { en: 'from a file', ja: 'ファイルから' }],
  ],
  async run(cx, { language, content }, phase) {
    const hub = await cx.connect()
    const before = await hub.call('phase.prompt.show', { phase, language })
    const text = content === undefined ? editText(before.content, phase, cx.io) : await given(content, cx)
    // Somebody else's edit in the meantime is not overwritten.
    const input = { phase, language, content: text, base_version: before.version }
    const prompt = await hub.call('phase.prompt.edit', input)
    const said =
      prompt.version === before.version ? phaseTexts.unchanged(phase) : phaseTexts.edited(phase, prompt.version)
    return { json: prompt, text: cx.io.say(said) }
  },
})

async function given(content: string, { io }: Context): Promise<string> {
  if (content !== '-') return textOrFile(content, io.cwd) ?? ''
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Buffer))
  return Buffer.concat(chunks).toString('utf8')
}
