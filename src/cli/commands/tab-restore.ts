import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { worktreeId } from '../find-worktree.ts'
import { slowly } from '../slowly.ts'
import { argument, option } from '../texts-help.ts'
import { worktreeTexts } from '../texts-worktree.ts'

export default command<[worktree: string], { project?: string }>({
  arguments: [{ name: '<worktree>', text: argument.worktree }],
  options: [{ flags: '--project <project>', text: option.project }],
  examples: [
    ['toryo tab restore feature/auth', { en: 'by its branch', ja: 'ブランチで指定' }],
    ['toryo tab worktrees --trash', { en: 'shows what there is', ja: '一覧を表示' }],
  ],
  async run(cx, { project }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const worktree_id = await worktreeId(hub, name, { project, trashed: true })
    const back = await slowly(cx, worktreeTexts.restoring, () => hub.call('worktree.restore', { worktree_id }))
    const text = io.say(worktreeTexts.restored(visibleLine(back.branch ?? worktree_id), visibleLine(back.path)))
    return { json: back, text, ...(back.branch === null ? { note: io.say(worktreeTexts.detached) } : {}) }
  },
})
