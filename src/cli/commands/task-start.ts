import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'

const words = {
  started: (task: string, agent: string) => ({
    en: `${task} is in progress; ${agent} is started for it as soon as a Runner can.`,
    ja: `${task} を開始しました。Runner が可能になり次第、${agent} を起動します。`,
  }),
  unassigned: (task: string) => ({
    en: `${task} is in progress, but no agent is to do it: \`toryo task assign ${task} <agent>\`.`,
    ja: `${task} は作業中になりましたが、担当がいません。\`toryo task assign ${task} <エージェント>\` で割り当ててください。`,
  }),
  noRunner: {
    en: 'No Runner is there: `toryo up` brings one along and starts it.',
    ja: 'Runner が動いていません。`toryo up` で起動すると作業が始まります。',
  },
}

export default command<[task: string], { agent?: string }>({
  summary: { en: 'Have an agent work on a task now', ja: 'エージェントをタスクに取りかからせる' },
  order: 3,
  when: { en: 'When an agent should begin a task now.', ja: 'エージェントにすぐ取りかからせたいときに。' },
  about: {
    en: 'The task is in_progress from now on, and `toryo up` starts its agent. --agent assigns it first.',
    ja: '状態を in_progress にし、`toryo up` が担当を起動します。--agent で先に割り当てます。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [{ flags: '--agent <agent>', text: { en: 'Assign it to this agent', ja: 'このエージェントに割り当てる' } }],
  examples: [
    ['toryo task start shop-12', { en: 'its agent is started', ja: '担当が開始される' }],
    ['toryo task start login --agent Aoi', { en: 'by a part of its title', ja: 'タイトルの一部で指定' }],
  ],
  output: 'task.move',
  async run(cx, { agent }, taskId) {
    const { io } = cx
    const hub = await cx.connect()
    if (agent !== undefined) await hub.call('task.assign', { task_id: taskId, agent_id: agent })
    const task = await hub.call('task.move', { task_id: taskId, status: 'in_progress' })
    const name = `${task.handle} ${visibleLine(task.title)}`
    if (task.assignee_id === null) return { json: task, text: io.say(words.unassigned(task.handle)) }
    const worker = await hub.call('agent.show', { agent_id: task.assignee_id })
    const { runners } = await hub.call('hub.status', {})
    const text = io.say(words.started(name, visibleLine(worker.name)))
    const isRunning = runners.length > 0
    return { json: task, text, ...(!isRunning && { note: io.say(words.noRunner) }) }
  },
})
