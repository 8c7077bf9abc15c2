import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[agent: string]>({
  summary: { en: 'Let a disabled agent in again', ja: 'エージェントを再び有効にする' },
  order: 5,
  when: { en: 'When a disabled agent may work again.', ja: '無効にしたエージェントを再び使うときに。' },
  arguments: [{ name: '<agent>', text: argument.agent }],
  examples: [['toryo agent enable hanako', { en: 'with the passkey it had', ja: 'パスキーはそのまま' }]],
  output: 'agent.enable',
  async run(cx, _, agentId) {
    const hub = await cx.connect()
    const agent = await hub.call('agent.enable', { agent_id: agentId })
    return { json: agent, text: cx.io.say(texts.nowIs(visibleLine(agent.name), agent.status)) }
  },
})
