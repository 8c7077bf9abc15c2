import { stateColumn } from '../states.ts'
import { command } from '../define.ts'
import { ofTabOrWorktree } from '../tab-or-worktree.ts'
import { table } from '../table.ts'
import { branchProject } from '../project-here.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'
import { texts } from '../texts.ts'
import { worktreeTexts } from '../texts-worktree.ts'

const words = {
  cutFiles: (count: number) => ({
    en: `Only the first ${count} are listed.`,
    ja: `先頭の ${count} 件のみ表示しています。`,
  }),
}

export default command<[tab: string], { project?: string }>({
  summary: { en: 'List the files that changed in a tab', ja: 'タブで変更されたファイルの一覧' },
  order: 7,
  when: { en: 'To see which files a tab has changed.', ja: 'タブが変更したファイルを確認するときに。' },
  arguments: [{ name: '<tab>', text: argument.tabOrBranch }],
  options: [branchProject],
  examples: [
    [
      'toryo tab files feature/login',
      { en: 'since its base, committed or not', ja: '基点からの変更 (未コミットを含む)' },
    ],
  ],
  output: 'tab.files',
  async run(cx, { project }, word) {
    const { io } = cx
    const changed = await ofTabOrWorktree(cx, project, word, {
      ofTab: (hub, tab_id) => hub.call('tab.files', { tab_id }),
      ofWorktree: (hub, worktree_id) => hub.call('worktree.files', { worktree_id }),
    })
    if (changed.files.length === 0) return { json: changed, text: '', note: io.say(tabTexts.unchanged) }
    const text = () =>
      table(
        changed.files,
        [
          { title: io.say(texts.status), ...stateColumn(io, row => row.status) },
          { title: io.say(worktreeTexts.path), value: row => row.path, path: true },
        ],
        io,
      )
    return { json: changed, text, ...(changed.truncated && { note: io.say(words.cutFiles(changed.files.length)) }) }
  },
})
