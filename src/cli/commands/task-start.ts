import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { startWords } from '../start-text.ts'
import { argument } from '../texts-help.ts'

export default command<[task: string], { agent?: string; again?: boolean; here?: boolean }>({
  summary: { en: 'Have an agent work on a task now', ja: 'エージェントをタスクに取りかからせる' },
  order: 3,
  when: { en: 'When an agent should begin a task now.', ja: 'エージェントにすぐ取りかからせたいときに。' },
  about: {
    en: 'The task is in_progress from now on, and `toryo up` starts its agent. --agent assigns it first; an unassigned task goes to the agent of its project with the least to do. A task that is done is refused: --again opens it once more.',
    ja: '状態を「進行中」にし、`toryo up` が担当を起動します。--agent で先に割り当てます。担当がいなければ、プロジェクトで最も手の空いているエージェントに任せます。完了したタスクは --again を付けたときだけ再開します。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [
    { flags: '--agent <agent>', text: { en: 'Assign it to this agent', ja: 'このエージェントに割り当てる' } },
    {
      flags: '--here',
      text: {
        en: 'Also when it was begun on another machine: begin afresh here',
        ja: '別のマシンで始めたタスクも、ここで新しく始める',
      },
    },
    { flags: '--again', text: { en: 'Also when it is done: open it once more', ja: '完了したタスクも再開する' } },
  ],
  examples: [
    ['toryo task start shop-12', { en: 'its agent is started', ja: '担当が開始される' }],
    ['toryo task start login --agent Aoi', { en: 'by a part of its title', ja: 'タイトルの一部で指定' }],
  ],
  output: 'task.move',
  async run(cx, { agent, again, here }, taskId) {
    const { io } = cx
    const hub = await cx.connect()
    const before = await hub.call('task.show', { task_id: taskId })
    // A deleted one is refused by the hub, with the way to bring it back.
    if (before.status === 'done' && before.deleted_at === undefined && !again)
      throw CliError.FAILED({ text: startWords.finished(before.handle, before.stage) })
    const begun = here ? await hub.call('task.here', { task_id: taskId }) : undefined
    if (agent !== undefined) await hub.call('task.assign', { task_id: taskId, agent_id: agent })
    const { assignee_id, project_id } = await hub.call('task.show', { task_id: taskId })
    const picked = assignee_id === null ? (await hub.call('agent.pick', { project_id })).agent : null
    if (picked) await hub.call('task.assign', { task_id: taskId, agent_id: picked.agent_id })
    const task = await hub.call('task.move', { task_id: taskId, status: 'in_progress' })
    const name = `${task.handle} ${visibleLine(task.title)}`
    if (task.assignee_id === null) return { json: task, text: io.say(startWords.unassigned(task.handle)) }
    const worker = await hub.call('agent.show', { agent_id: task.assignee_id })
    const { runners } = await hub.call('hub.status', {})
    const { not_started } = await hub.call('task.show', { task_id: taskId })
    const started = io.say(startWords.started(name, visibleLine(worker.name)))
    const afresh = begun && startWords.afresh(begun)
    const text = afresh ? `${started}\n${io.say(afresh)}` : started
    // What nobody does by waiting is said at once.
    const note = runners.length === 0 ? io.say(startWords.noRunner) : not_started
    return { json: task, text, ...(note !== null && { note }) }
  },
})
