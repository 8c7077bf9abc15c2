import { command } from '../define.ts'
import { passkeyText } from '../passkey-text.ts'
import { about, argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[agent: string]>({
  about: about.agentAdd,
  arguments: [{ name: '<agent>', text: argument.agent }],
  examples: [['toryo agent rotate hanako', { en: 'when a passkey has leaked', ja: 'パスキーが漏れたとき' }]],
  async run(cx, _, agentId) {
    const hub = await cx.connect()
    const agent = await hub.call('agent.rotate', { agent_id: agentId })
    return { json: agent, text: `${cx.io.say(texts.rotated(agent.agent_id))}\n${passkeyText(agent.passkey, cx.io)}` }
  },
})
