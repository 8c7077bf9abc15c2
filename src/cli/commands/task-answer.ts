import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  goesOn: (task: string) => ({
    en: `Answered: ${task} is back in progress, and its agent gets the answer.`,
    ja: `回答しました。${task} は作業中に戻り、担当に回答が渡ります。`,
  }),
  waits: (task: string) => ({
    en: `Answered: ${task} is todo again; assign an agent to have it done.`,
    ja: `回答しました。${task} は「未着手」に戻りました。エージェントを割り当てると作業が始まります。`,
  }),
}

export default command<[task: string, answer: string]>({
  summary: { en: 'Answer a blocked task and send it back to work', ja: 'ブロックされたタスクに回答し、作業に戻す' },
  order: 4,
  when: { en: 'When an agent is blocked and asked you something.', ja: 'エージェントが質問して止まっているときに。' },
  about: {
    en: 'The agent gets the answer with its task. A task with an assignee goes to in_progress, others to todo.',
    ja: 'エージェントはタスクとともに回答を受け取ります。担当のいるタスクは「進行中」に、いないタスクは「未着手」になります。',
  },
  arguments: [
    { name: '<task>', text: argument.task },
    {
      name: '<answer>',
      text: { en: 'What the agent should know: text, or @file', ja: 'エージェントへの回答: 文章または @ファイル' },
    },
  ],
  examples: [['toryo task answer shop-12 "Use a cookie"', { en: 'its agent goes on', ja: '担当が作業を再開する' }]],
  output: 'task.answer',
  async run(cx, _, taskId, given) {
    const answer = textOrFile(given, cx.io.cwd) ?? given
    const hub = await cx.connect()
    const task = await hub.call('task.answer', { task_id: taskId, answer })
    const what = `${task.handle} ${visibleLine(task.title)}`
    return { json: task, text: cx.io.say(task.status === 'in_progress' ? words.goesOn(what) : words.waits(what)) }
  },
})
