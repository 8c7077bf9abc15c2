import { completionScript, type Shell, SHELLS } from '../completion/script.ts'
import { command } from '../define.ts'
import { createProgram } from '../program.ts'

export default command<[shell: Shell]>({
  summary: { en: 'Print a script for tab completion in your shell', ja: 'シェル補完のスクリプトを表示' },
  group: 'more',
  order: 24,
  about: {
    en: 'bash: add `source <(toryo completion bash)` to ~/.bashrc. zsh: write it to a file `_toryo` in a folder of $fpath. fish: write it to ~/.config/fish/completions/toryo.fish.',
    ja: 'bash: ~/.bashrc に `source <(toryo completion bash)` を加えます。zsh: $fpath のフォルダーに `_toryo` として保存します。fish: ~/.config/fish/completions/toryo.fish に保存します。',
  },
  arguments: [{ name: '<shell>', text: { en: 'Your shell', ja: 'お使いのシェル' }, choices: SHELLS }],
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
