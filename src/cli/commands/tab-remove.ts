import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { worktreeId } from '../find-worktree.ts'
import { moment } from '../format.ts'
import { slowly } from '../slowly.ts'
import { argument, option } from '../texts-help.ts'
import { worktreeTexts } from '../texts-worktree.ts'

export default command<[worktree: string], { project?: string; force?: boolean }>({
  arguments: [{ name: '<worktree>', text: argument.worktree }],
  options: [
    { flags: '--project <project>', text: option.project },
    { flags: '--force', text: option.forceRemove },
  ],
  examples: [['toryo tab remove feature/auth', { en: 'to the trash, for 14 days', ja: 'ごみ箱へ (14 日間)' }]],
  async run(cx, { project, force }, name) {
    const { io } = cx
    const hub = await cx.connect()
    const worktree_id = await worktreeId(hub, name, { project, trashed: false })
    const removed = await slowly(cx, worktreeTexts.removing, () => hub.call('worktree.remove', { worktree_id, force }))
    const what = visibleLine(removed.branch ?? removed.path)
    const text =
      removed.purge_at === null
        ? io.say(worktreeTexts.gone(what))
        : io.say(worktreeTexts.removed(what, removed.worktree_id, moment(removed.purge_at, io)))
    return { json: removed, text }
  },
})
