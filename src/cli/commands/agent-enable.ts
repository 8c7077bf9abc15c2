import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[agent: string]>({
  summary: { en: 'Let a disabled agent in again', ja: 'エージェントを再び有効にする' },
  order: 5,
  arguments: [{ name: '<agent>', text: argument.agent }],
  examples: [['toryo agent enable hanako', { en: 'with the passkey it had', ja: 'パスキーはそのまま' }]],
  async run(cx, _, agentId) {
    const hub = await cx.connect()
    const agent = await hub.call('agent.enable', { agent_id: agentId })
    return { json: agent, text: cx.io.say(texts.nowIs(visibleLine(agent.name), agent.status)) }
  },
})
