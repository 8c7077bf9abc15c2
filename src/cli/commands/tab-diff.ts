import { command } from '../define.ts'
import { diffText } from '../diff-text.ts'
import { ofTabOrWorktree } from '../tab-or-worktree.ts'
import { branchProject } from '../project-here.ts'
import { argument } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

export default command<[tab: string], { project?: string }>({
  summary: { en: 'Print the changes of a tab as a diff', ja: 'タブの変更を diff で表示' },
  order: 8,
  when: { en: 'To see what a tab has changed, as a diff.', ja: 'タブの変更を diff で見るときに。' },
  about: {
    en: 'All that differs from the base of the worktree: committed, not committed, and new files. At most 1 MB.',
    ja: 'ワークツリーの基点との差分を表示します (コミット済み、未コミット、新規ファイル)。最大 1 MB です。',
  },
  arguments: [{ name: '<tab>', text: argument.tabOrBranch }],
  options: [branchProject],
  examples: [
    [
      'toryo tab diff feature/login',
      { en: 'since its base, committed or not', ja: '基点からの変更 (未コミットを含む)' },
    ],
    ['toryo tab diff feature/login > login.patch', { en: 'for git apply', ja: 'git apply 用に保存' }],
  ],
  output: 'tab.diff',
  async run(cx, { project }, word) {
    const { io } = cx
    const changed = await ofTabOrWorktree(cx, project, word, {
      ofTab: (hub, tab_id) => hub.call('tab.diff', { tab_id }),
      ofWorktree: (hub, worktree_id) => hub.call('worktree.diff', { worktree_id }),
    })
    if (changed.diff === '') return { json: changed, text: '', note: io.say(tabTexts.unchanged) }
    const note = changed.truncated
      ? { note: io.say({ en: 'The diff was cut at 1 MB.', ja: 'diff は 1 MB で打ち切られています。' }) }
      : {}
    return { json: changed, text: diffText(changed.diff, io).replace(/\n$/, ''), ...note }
  },
})
