import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

const NOBODY = 'none'

export default command<[task: string, agent: string]>({
  arguments: [
    { name: '<task>', text: argument.task },
    { name: '<agent>', text: argument.agentOrNone },
  ],
  examples: [
    ['toryo task assign tsk_… hanako', { en: 'an agent of the project', ja: 'プロジェクトのエージェント' }],
    ['toryo task assign tsk_… none', { en: 'to nobody', ja: '担当を外す' }],
  ],
  async run(cx, _, taskId, agent) {
    const hub = await cx.connect()
    const task = await hub.call('task.assign', { task_id: taskId, agent_id: agent === NOBODY ? null : agent })
    const title = visibleLine(task.title)
    const said = task.assignee_id === null ? texts.taskFree(title) : texts.taskGoesTo(title, task.assignee_id)
    return { json: task, text: cx.io.say(said) }
  },
})
