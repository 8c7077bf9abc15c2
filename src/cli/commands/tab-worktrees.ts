import { command } from '../define.ts'
import { projectHere, projectOption } from '../project-here.ts'
import { ago } from '../format.ts'
import { listAll } from '../list-all.ts'
import { limitOption } from '../options.ts'
import { stateColumn } from '../states.ts'
import { table } from '../table.ts'
import { texts } from '../texts.ts'
import { worktreeTexts } from '../texts-worktree.ts'

export default command<[], { limit: number; project?: string; trash?: boolean }>({
  summary: { en: 'List the worktrees, or those in the trash', ja: 'ワークツリーまたはゴミ箱の一覧' },
  order: 10,
  when: {
    en: 'To see which worktrees there are, also those in the trash.',
    ja: 'ワークツリーを確認するときに。ゴミ箱の中も見られます。',
  },
  options: [
    projectOption,
    { flags: '--trash', text: { en: 'Those that were removed and can be restored', ja: '削除済みで復元できるもの' } },
    limitOption,
  ],
  examples: [['toryo tab worktrees --trash', { en: 'what can be restored', ja: '復元できるもの' }]],
  output: 'worktree.list',
  async run(cx, { limit, project, trash = false }) {
    const { io } = cx
    const hub = await cx.connect()
    const filter = { trashed: trash, project_id: await projectHere(cx, hub, project) }
    const page = await listAll(limit, 'worktrees', page => hub.call('worktree.list', { ...filter, ...page }))
    const when = (at: string | null) => (at === null ? null : ago(at, io.now(), io.lang, 'narrow'))
    const text = () =>
      table(
        page.worktrees,
        [
          { title: io.say({ en: 'WORKTREE', ja: 'ワークツリー' }), value: row => row.worktree_id },
          { title: io.say(worktreeTexts.branch), value: row => row.branch, prose: true },
          { title: io.say(texts.status), ...stateColumn(io, row => row.state) },
          { title: io.say(worktreeTexts.setup), ...stateColumn(io, row => row.setup), optional: true },
          ...(trash ? [{ title: io.say({ en: 'DELETED', ja: '削除' }), value: (row: Row) => when(row.purge_at) }] : []),
          { title: io.say(worktreeTexts.path), value: row => row.trash ?? row.path, path: true },
        ],
        io,
      )
    type Row = (typeof page.worktrees)[number]
    const nothing = trash
      ? { en: 'The trash is empty.', ja: 'ゴミ箱は空です。' }
      : { en: 'No worktrees.', ja: 'ワークツリーはありません。' }
    if (page.worktrees.length === 0) return { json: page, text: '', note: io.say(nothing) }
    return { json: page, text, ...(page.next_cursor ? { note: io.say(texts.more(page.worktrees.length)) } : {}) }
  },
})
