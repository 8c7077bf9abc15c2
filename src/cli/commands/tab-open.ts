import { existsSync } from 'node:fs'
import { findTab } from '../by-name.ts'
import { command } from '../define.ts'
import { openFolder } from '../editor.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

export default command<[tab: string]>({
  summary: { en: 'Open the worktree of a tab in your editor', ja: 'タブのワークツリーをエディターで開く' },
  order: 4,
  when: {
    en: "To look at a tab's files, or to change them, in your own editor.",
    ja: 'タブのファイルを、いつものエディターで確認・編集するときに。',
  },
  about: {
    en: 'Runs $VISUAL, else $EDITOR, with the folder, and ends with its exit code.',
    ja: '$VISUAL (なければ $EDITOR) にフォルダーを渡して起動し、その終了コードで終わります。',
  },
  arguments: [{ name: '<tab>', text: argument.tab }],
  examples: [["VISUAL='code --wait' toryo tab open feature/login", { en: 'in VS Code', ja: 'VS Code で開く' }]],
  output: null,
  async run(cx, _, given) {
    const hub = await cx.connect()
    const { branch, worktree_path: path } = await hub.call('tab.show', { tab_id: await findTab(hub, given) })
    if (path !== null && existsSync(path)) return openFolder(path, cx.io)
    throw CliError.FAILED({ text: words.notHere(visibleLine(branch), path === null ? '' : `: ${visibleLine(path)}`) })
  },
})

const words = {
  notHere: (branch: string, place: string) => ({
    en: `The worktree of ${branch} is not on this machine${place}. Open it on the machine of its hub; if it is in the trash there, \`toryo tab restore ${branch}\` brings it back.`,
    ja: `${branch} のワークツリーはこのマシンにありません${place}。ハブのマシンで開いてください。ゴミ箱にある場合は \`toryo tab restore ${branch}\` で元に戻せます。`,
  }),
}
