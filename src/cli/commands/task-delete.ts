import { DELETED_DAYS } from '#contract/projects.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const words = {
  deleted: (handle: string, title: string) => ({
    en: `Deleted ${handle} ${title}. It is kept for ${DELETED_DAYS} days: \`toryo task restore ${handle}\` brings it back.`,
    ja: `${handle} ${title} を削除しました。${DELETED_DAYS} 日間は \`toryo task restore ${handle}\` で元に戻せます。`,
  }),
}

export default command<[task: string]>({
  summary: { en: 'Delete a task; it can be restored for 30 days', ja: 'タスクを削除 (30 日間は復元可能)' },
  order: 10,
  when: {
    en: 'When a task was a mistake, and you do not want to see it any more.',
    ja: '間違えて作ったタスクなど、もう表示したくないときに。',
  },
  about: {
    en: 'An open task is cancelled first, which ends an agent at work on it. It is hidden everywhere and holds up no other task; its sub-tasks stay. What was merged stays merged. After 30 days it is gone with its notes, snapshots and branch.',
    ja: '未完了のタスクは中止され、作業中のエージェントも終了します。どこにも表示されなくなり、他のタスクを待たせません。サブタスクは残ります。マージ済みの変更はそのままです。30 日後に、メモ・スナップショット・ブランチとともに完全に削除されます。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  examples: [
    ['toryo task delete shop-12', { en: 'hide it', ja: '非表示にする' }],
    ['toryo task list --deleted', { en: 'what can still be restored', ja: '復元できるもの' }],
  ],
  output: 'task.delete',
  async run(cx, _, task_id) {
    const hub = await cx.connect()
    const task = await hub.call('task.delete', { task_id })
    return { json: task, text: cx.io.say(words.deleted(task.handle, visibleLine(task.title))) }
  },
})
