import { command } from '../define.ts'
import { passkeyText } from '../passkey-text.ts'
import { about, argument } from '../texts-help.ts'

const words = {
  rotated: (id: string) => ({
    en: `${id} has a new passkey; the old one no longer works.`,
    ja: `${id} に新しいパスキーを発行しました。古いものは使えません。`,
  }),
}

export default command<[agent: string]>({
  summary: { en: 'Give an agent a new passkey; the old one ends', ja: '新しいパスキーを発行 (古いものは無効)' },
  order: 7,
  when: {
    en: "When an agent's passkey is lost, or no longer secret.",
    ja: 'パスキーをなくしたとき、または人に見られたときに。',
  },
  about: about.agentAdd,
  arguments: [{ name: '<agent>', text: argument.agent }],
  examples: [['toryo agent rotate hanako', { en: 'when a passkey has leaked', ja: 'パスキーが漏れたとき' }]],
  output: 'agent.rotate',
  async run(cx, _, agentId) {
    const hub = await cx.connect()
    const agent = await hub.call('agent.rotate', { agent_id: agentId })
    return { json: agent, text: `${cx.io.say(words.rotated(agent.agent_id))}\n${passkeyText(agent.passkey, cx.io)}` }
  },
})
