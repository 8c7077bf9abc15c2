import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[task: string, answer: string]>({
  summary: { en: 'Answer a blocked task and send it back to work', ja: 'ブロックされたタスクに回答し、作業に戻す' },
  order: 4,
  about: {
    en: 'The agent gets the answer with its task. A task with an assignee goes to in_progress, others to todo.',
    ja: 'エージェントはタスクとともに回答を受け取ります。担当のいるタスクは in_progress に、いないタスクは todo になります。',
  },
  arguments: [
    { name: '<task>', text: argument.task },
    { name: '<answer>', text: { en: 'What the agent should know', ja: 'エージェントへの回答' } },
  ],
  examples: [['toryo task answer tsk_… "Use a cookie"', { en: 'its agent goes on', ja: '担当が作業を再開する' }]],
  async run(cx, _, taskId, answer) {
    const hub = await cx.connect()
    const task = await hub.call('task.answer', { task_id: taskId, answer })
    return { json: task, text: cx.io.say(texts.nowIs(visibleLine(task.title), task.status)) }
  },
})
