import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { task?: string; name?: string }

export default command<[agent: string], Options>({
  summary: { en: 'Add another agent like one', ja: '同じ設定のエージェントをもう 1 つ追加' },
  order: 9,
  when: {
    en: 'When an agent has more to do than one at a time.',
    ja: '1 つのエージェントでは手が足りないときに。',
  },
  about: {
    en: 'The new agent has the same engine, role, system prompt, toolsets and projects, and the next free name (Claude 2, Claude 3). The Runner starts it without a passkey; `toryo agent rotate` prints one for your own chat.',
    ja: 'エンジン、ロール、システムプロンプト、ツールセット、プロジェクトを引き継ぎ、次の空き番号の名前 (Claude 2、Claude 3 など) を付けます。Runner による開始にパスキーは不要です。普段のチャットから使う場合は `toryo agent rotate` で発行できます。',
  },
  arguments: [{ name: '<agent>', text: argument.agent }],
  options: [
    {
      flags: '--task <task>',
      text: { en: 'A task of that agent for the new one to take over', ja: '新しいエージェントに引き継ぐタスク' },
    },
    {
      flags: '--name <name>',
      text: { en: 'Another name, unique among all agents', ja: '新しい名前 (エージェント間で重複不可)' },
    },
  ],
  examples: [
    ['toryo agent copy claude', { en: 'Claude 2, for tasks to come', ja: '今後のタスクのために Claude 2 を追加' }],
    [
      'toryo agent copy claude --task shop-3',
      { en: 'which does not wait for Claude any more', ja: 'Claude を待っているタスクをすぐに開始' },
    ],
  ],
  output: 'agent.copy',
  async run(cx, { task, name }, agentId) {
    const hub = await cx.connect()
    const agent = await hub.call('agent.copy', { agent_id: agentId, task_id: task, name })
    const added = cx.io.say(texts.added(visibleLine(agent.name), agent.agent_id))
    const given = agent.task && cx.io.say(gets(agent.task.handle, visibleLine(agent.name)))
    return { json: agent, text: [added, given].filter(Boolean).join('\n') }
  },
})

const gets = (handle: string, agent: string) => ({
  en: `${handle} is assigned to ${agent}.`,
  ja: `${handle} を ${agent} に割り当てました。`,
})
