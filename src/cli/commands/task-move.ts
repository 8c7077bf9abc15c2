import type { TaskStatus } from '#contract/projects.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { STATUSES } from '../options.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[task: string, status: TaskStatus], { force?: boolean; reason?: string }>({
  summary: { en: 'Change the status of a task', ja: 'タスクの状態を変える' },
  order: 4,
  when: {
    en: 'When a task should have another status; a running agent is ended.',
    ja: 'タスクの状態を変えるときに。作業中のエージェントは終了します。',
  },
  about: {
    en: 'Moving a task with an assignee to in_progress lets the Runner of `toryo up` start its agent.',
    ja: '担当のいるタスクを「進行中」にすると、`toryo up` の Runner がそのエージェントを開始します。',
  },
  arguments: [
    { name: '<task>', text: argument.task },
    { name: '<status>', text: { en: 'The new status', ja: '新しい状態' }, choices: STATUSES },
  ],
  options: [
    {
      flags: '--reason <text>',
      text: { en: 'Why; of a blocked task, what it waits for', ja: '理由。「ブロック」にするときは、何を待っているか' },
    },
    {
      flags: '--force',
      text: { en: 'Done even while sub-tasks are open', ja: 'サブタスクが残っていても完了にする' },
    },
  ],
  examples: [['toryo task move shop-12 in_progress', { en: 'its agent is started', ja: '担当が開始される' }]],
  output: 'task.move',
  async run(cx, { force, reason }, taskId, status) {
    const hub = await cx.connect()
    const task = await hub.call('task.move', { task_id: taskId, status, force, reason })
    return { json: task, text: cx.io.say(texts.nowIs(visibleLine(task.title), task.status)) }
  },
})
