import { completionScript, type Shell, SHELLS } from '../completion/script.ts'
import { isPlain, type Kind, KINDS, namesOf } from '../completion/names.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { EXIT } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { createProgram } from '../program.ts'

export default command<[shell: Shell], { names?: Kind }>({
  summary: { en: 'Print a script for tab completion in your shell', ja: 'シェル補完のスクリプトを表示' },
  group: 'more',
  order: 24,
  when: {
    en: 'Once, to have your shell complete commands and names.',
    ja: 'シェルでコマンドや名前を補完したいときに、一度使います。',
  },
  about: {
    en: 'bash: add `source <(toryo completion bash)` to ~/.bashrc. zsh: write it to a file `_toryo` in a folder of $fpath. fish: write it to ~/.config/fish/completions/toryo.fish.',
    ja: 'bash: ~/.bashrc に `source <(toryo completion bash)` を加えます。zsh: $fpath のフォルダーに `_toryo` として保存します。fish: ~/.config/fish/completions/toryo.fish に保存します。',
  },
  arguments: [{ name: '<shell>', text: { en: 'Your shell', ja: 'お使いのシェル' }, choices: SHELLS }],
  examples: [
    ['source <(toryo completion bash)', { en: 'for this shell', ja: '今のシェルで使う' }],
    ['toryo completion fish > ~/.config/fish/completions/toryo.fish', { en: 'for good', ja: '常に使う' }],
  ],
  options: [
    {
      flags: '--names <kind>',
      text: { en: 'Print the names that exist now; the script asks so', ja: '今ある名前を表示 (スクリプトが使用)' },
      choices: KINDS,
    },
  ],
  output: 'completion',
  async run(cx, { names }, shell) {
    if (names !== undefined) return printNames(cx, names, shell)
    const program = createProgram({ io: cx.io, args: [], version: '', quiet: true, run: async () => {} })
    const script = completionScript(shell, await program.loadAll())
    return { json: { shell, script }, text: script.trimEnd() }
  },
})

/** A person waits for the next keystroke. */
const PATIENCE_MS = 1500
const ABOUT_CHARS = 60

/** No hub is started for a keystroke, and nothing that goes wrong is worth a line in the middle of typing. */
async function printNames(cx: Context, kind: Kind, shell: Shell): Promise<number> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    const hub = await cx.connectRunning()
    const found = (await namesOf(hub, kind, cx.io.cwd, signal)).filter(({ name }) => isPlain(name))
    const lines = found.map(({ name, about }) =>
      shell === 'fish' && about ? `${name}\t${visibleLine(about).slice(0, ABOUT_CHARS)}` : name,
    )
    cx.io.stdout.write([...new Set(lines)].map(line => `${line}\n`).join(''))
  } catch {
    // No hub, one that is busy, or one that refuses: nothing is offered.
  }
  return EXIT.done
}
