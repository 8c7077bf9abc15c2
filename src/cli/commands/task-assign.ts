import { agentNames } from '../agent-names.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const UNASSIGNED = 'none'

const words = {
  taskGoesTo: (task: string, agent: string) => ({
    en: `${task} is assigned to ${agent}.`,
    ja: `${task} を ${agent} に割り当てました。`,
  }),
  taskFree: (task: string) => ({ en: `${task} is not assigned any more.`, ja: `${task} の担当を外しました。` }),
}

export default command<[task: string, agent: string]>({
  summary: { en: 'Assign a task to an agent', ja: 'タスクをエージェントに割り当てる' },
  order: 5,
  when: { en: 'When another agent should do a task, or none.', ja: 'タスクの担当を変える、または外すときに。' },
  arguments: [
    { name: '<task>', text: argument.task },
    {
      name: '<agent>',
      text: { en: 'The agent: its id or name; or `none`', ja: 'エージェントの ID または名前。なしは `none`' },
    },
  ],
  examples: [
    ['toryo task assign shop-12 hanako', { en: 'an agent of the project', ja: 'プロジェクトのエージェント' }],
    ['toryo task assign shop-12 none', { en: 'take it from its agent', ja: '担当を外す' }],
  ],
  output: 'task.assign',
  async run(cx, _, taskId, agent) {
    const hub = await cx.connect()
    const task = await hub.call('task.assign', { task_id: taskId, agent_id: agent === UNASSIGNED ? null : agent })
    const title = visibleLine(task.title)
    const nameOf = await agentNames(cx, hub)
    const said =
      task.assignee_id === null ? words.taskFree(title) : words.taskGoesTo(title, visibleLine(nameOf(task.assignee_id)))
    return { json: task, text: cx.io.say(said) }
  },
})
