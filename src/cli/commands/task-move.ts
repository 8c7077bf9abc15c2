import type { TaskStatus } from '#contract/projects.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { STATUSES } from '../options.ts'
import { about, argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[task: string, status: TaskStatus]>({
  about: about.taskMove,
  arguments: [
    { name: '<task>', text: argument.task },
    { name: '<status>', text: argument.status, choices: STATUSES },
  ],
  examples: [['toryo task move tsk_… in_progress', { en: 'its agent is started', ja: '担当が開始される' }]],
  async run(cx, _, taskId, status) {
    const hub = await cx.connect()
    const task = await hub.call('task.move', { task_id: taskId, status })
    return { json: task, text: cx.io.say(texts.nowIs(visibleLine(task.title), task.status)) }
  },
})
