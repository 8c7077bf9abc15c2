import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { worktreeId } from '../find-worktree.ts'
import { moment } from '../format.ts'
import { slowly } from '../slowly.ts'
import { branchProject, projectHere } from '../project-here.ts'
import { argument } from '../texts-help.ts'

const words = {
  removed: (what: string, id: string, when: string) => ({
    en: `${what} is in the trash until ${when}; \`toryo tab restore ${id}\` brings it back.`,
    ja: `${what} をゴミ箱に移しました。${when} までは \`toryo tab restore ${id}\` で戻せます。`,
  }),
  gone: (what: string) => ({
    en: `${what} was gone already; it is forgotten.`,
    ja: `${what} のフォルダーはすでにありませんでした。記録を消しました。`,
  }),
}

export default command<[worktree: string], { project?: string; force?: boolean }>({
  summary: { en: 'Put a worktree into the trash', ja: 'ワークツリーをゴミ箱に移す' },
  order: 11,
  when: {
    en: 'When you do not need a worktree any more; it goes to the trash.',
    ja: 'ワークツリーが不要になったときに。ゴミ箱に移ります。',
  },
  arguments: [{ name: '<worktree>', text: argument.worktree }],
  options: [
    branchProject,
    {
      flags: '--force',
      text: {
        en: 'Even with unsaved work; it can be restored for 14 days',
        ja: '保存されていない作業があっても移す (14 日間は復元可)',
      },
    },
  ],
  examples: [['toryo tab remove feature/auth', { en: 'to the trash, for 14 days', ja: 'ゴミ箱へ (14 日間)' }]],
  output: 'worktree.remove',
  async run(cx, { project, force }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const here = await projectHere(cx, hub, undefined)
    const worktree_id = await worktreeId(hub, name, { project, here, trashed: false })
    const removed = await slowly(
      cx,
      { en: 'Looking for unsaved work, then moving it …', ja: '保存されていない作業を確認し、移しています…' },
      () => hub.call('worktree.remove', { worktree_id, force }),
    )
    const what = visibleLine(removed.branch ?? removed.path)
    const text =
      removed.purge_at === null
        ? io.say(words.gone(what))
        : io.say(words.removed(what, removed.worktree_id, moment(removed.purge_at, io)))
    return { json: removed, text }
  },
})
