import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { toolsetsIn } from '../options.ts'
import { about, argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[agent: string, toolsets: string]>({
  about: about.agentToolsets,
  arguments: [
    { name: '<agent>', text: argument.agent },
    { name: '<toolsets>', text: argument.toolsets },
  ],
  examples: [
    ['toryo agent toolsets hanako crews,tabs', { en: 'it may start others', ja: '他のエージェントを起動できる' }],
    ['toryo agent toolsets hanako none', { en: 'only what its own work needs', ja: '自分の作業に必要なものだけ' }],
  ],
  async run(cx, _, agentId, given) {
    const toolsets = given === 'none' ? [] : toolsetsIn(given)
    const hub = await cx.connect()
    const agent = await hub.call('agent.toolsets', { agent_id: agentId, toolsets })
    return { json: agent, text: cx.io.say(texts.toolsetsGiven(visibleLine(agent.name), agent.toolsets.join(', '))) }
  },
})
