import { completionScript, type Shell, SHELLS } from '../completion/script.ts'
import { command } from '../define.ts'
import { createProgram } from '../program.ts'
import { about, argument } from '../texts-help.ts'

export default command<[shell: Shell]>({
  about: about.completion,
  arguments: [{ name: '<shell>', text: argument.shell, choices: SHELLS }],
  examples: [
    ['source <(toryo completion bash)', { en: 'for this shell', ja: '今のシェルで使う' }],
    ['toryo completion fish > ~/.config/fish/completions/toryo.fish', { en: 'for good', ja: '常に使う' }],
  ],
  async run(cx, _, shell) {
    const program = createProgram({ io: cx.io, args: [], version: '', quiet: true, run: async () => {} })
    const script = completionScript(shell, await program.loadAll())
    return { json: { shell, script }, text: script.trimEnd() }
  },
})
