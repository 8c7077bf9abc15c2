import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { worktreeId } from '../find-worktree.ts'
import { slowly } from '../slowly.ts'
import { branchProject, projectHere } from '../project-here.ts'
import { argument } from '../texts-help.ts'

const words = {
  restored: (what: string, path: string) => ({
    en: `${what} is back in ${path}.`,
    ja: `${what} を ${path} に戻しました。`,
  }),
}

export default command<[worktree: string], { project?: string }>({
  summary: { en: 'Bring a worktree back from the trash', ja: 'ワークツリーをゴミ箱から戻す' },
  order: 12,
  when: { en: 'When you removed a worktree and want it back.', ja: '削除したワークツリーを元に戻すときに。' },
  arguments: [{ name: '<worktree>', text: argument.worktree }],
  options: [branchProject],
  examples: [
    ['toryo tab restore feature/auth', { en: 'by its branch', ja: 'ブランチで指定' }],
    ['toryo tab worktrees --trash', { en: 'shows what there is', ja: '一覧を表示' }],
  ],
  output: 'worktree.restore',
  async run(cx, { project }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const here = await projectHere(cx, hub, undefined)
    const worktree_id = await worktreeId(hub, name, { project, here, trashed: true })
    const back = await slowly(cx, { en: 'Bringing it back …', ja: '元に戻しています…' }, () =>
      hub.call('worktree.restore', { worktree_id }),
    )
    const text = io.say(words.restored(visibleLine(back.branch ?? worktree_id), visibleLine(back.path)))
    return {
      json: back,
      text,
      ...(back.branch === null
        ? {
            note: io.say({
              en: 'Its branch is in use elsewhere, so it stands on its commit alone.',
              ja: 'ブランチは別の場所で使用中のため、コミットを直接チェックアウトしています。',
            }),
          }
        : {}),
    }
  },
})
