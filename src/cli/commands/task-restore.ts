import type { TaskStatus } from '#contract/projects.ts'
import { STATUS_JA } from '#contract/state-words.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const words = {
  restored: (handle: string, title: string, status: TaskStatus) => ({
    en: `Restored ${handle} ${title}. It is ${status}.`,
    ja: `${handle} ${title} を復元しました。状態は「${STATUS_JA[status]}」です。`,
  }),
  reopens: (handle: string) => ({
    en: `\`toryo task move ${handle} todo\` reopens it.`,
    ja: `\`toryo task move ${handle} todo\` で再開できます。`,
  }),
}

export default command<[task: string]>({
  summary: { en: 'Bring back a deleted task', ja: '削除したタスクを復元' },
  order: 10,
  when: { en: 'When a task was deleted by mistake.', ja: 'タスクを間違えて削除したときに。' },
  arguments: [{ name: '<task>', text: argument.task }],
  examples: [['toryo task restore shop-12', { en: 'as it was put away', ja: '削除した時点の状態で' }]],
  output: 'task.restore',
  async run(cx, _, task_id) {
    const hub = await cx.connect()
    const task = await hub.call('task.restore', { task_id })
    const { handle, title, status } = task
    const note = status === 'cancelled' ? { note: cx.io.say(words.reopens(handle)) } : {}
    return { json: task, text: cx.io.say(words.restored(handle, visibleLine(title), status)), ...note }
  },
})
