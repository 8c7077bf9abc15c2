import { existsSync } from 'node:fs'
import type { Text } from '#contract/errors.ts'
import { command } from '../define.ts'
import { openFolder } from '../editor.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

export default command<[task: string]>({
  summary: { en: 'Open the workspace of a task in your editor', ja: 'タスクのワークスペースをエディターで開く' },
  order: 3,
  when: {
    en: "To look at an agent's work, or to change it, in your own editor.",
    ja: 'エージェントの作業を、いつものエディターで確認・編集するときに。',
  },
  about: {
    en: 'Runs $VISUAL, else $EDITOR, with the folder, and ends with its exit code.',
    ja: '$VISUAL (なければ $EDITOR) にフォルダーを渡して起動し、その終了コードで終わります。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  examples: [["VISUAL='code --wait' toryo task open shop-12", { en: 'in VS Code', ja: 'VS Code で開く' }]],
  output: null,
  async run(cx, _, task_id) {
    const hub = await cx.connect()
    const { handle, workspace } = await hub.call('task.show', { task_id })
    if (!workspace) throw refused(words.none(handle))
    const { path, branch, released } = workspace
    if (released) throw refused(words.trashed(handle, visibleLine(branch)))
    if (existsSync(path)) return openFolder(path, cx.io)
    throw refused(words.notHere(handle, visibleLine(path)))
  },
})

const refused = (text: Text) => CliError.FAILED({ text })

const words = {
  none: (handle: string) => ({
    en: `${handle} has no workspace yet; \`toryo task start ${handle}\` makes one.`,
    ja: `${handle} にはまだワークスペースがありません。\`toryo task start ${handle}\` で作成されます。`,
  }),
  trashed: (handle: string, branch: string) => ({
    en: `The workspace of ${handle} is in the trash; \`toryo tab restore ${branch}\` brings it back.`,
    ja: `${handle} のワークスペースはゴミ箱にあります。\`toryo tab restore ${branch}\` で元に戻せます。`,
  }),
  notHere: (handle: string, path: string) => ({
    en: `The workspace of ${handle} is not on this machine: ${path}. Open it on the machine that has it, or begin afresh here: \`toryo task start ${handle} --here\`.`,
    ja: `${handle} のワークスペースはこのマシンにありません: ${path}。置かれているマシンで開くか、\`toryo task start ${handle} --here\` でここから始め直してください。`,
  }),
}
