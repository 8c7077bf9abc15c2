import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[agent: string]>({
  summary: { en: 'Refuse an agent until it is enabled', ja: 'エージェントを無効にする' },
  order: 4,
  when: { en: 'When an agent must not work for now.', ja: 'エージェントをしばらく止めておきたいときに。' },
  arguments: [{ name: '<agent>', text: argument.agent }],
  examples: [['toryo agent disable hanako', { en: 'it can no longer sign in', ja: 'サインインできなくなる' }]],
  output: 'agent.disable',
  async run(cx, _, agentId) {
    const hub = await cx.connect()
    const agent = await hub.call('agent.disable', { agent_id: agentId })
    return { json: agent, text: cx.io.say(texts.nowIs(visibleLine(agent.name), agent.status)) }
  },
})
