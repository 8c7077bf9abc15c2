import { command } from '../define.ts'
import { visible, visibleLine } from '../escape.ts'
import { moment, pairs } from '../format.ts'
import { stateText } from '../states.ts'
import { argument } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[agent: string]>({
  summary: { en: 'Show an agent', ja: 'エージェントを表示' },
  order: 3,
  when: {
    en: "To see an agent's settings, instructions and projects.",
    ja: 'エージェントの設定・指示・プロジェクトを確認するときに。',
  },
  arguments: [{ name: '<agent>', text: argument.agent }],
  examples: [['toryo agent show hanako', { en: 'with its system prompt', ja: 'システムプロンプトも表示' }]],
  output: 'agent.show',
  async run(cx, _, agentId) {
    const { io } = cx
    const hub = await cx.connect()
    const agent = await hub.call('agent.show', { agent_id: agentId })
    const facts = () =>
      pairs(
        [
          [io.say(texts.status), stateText(agent.status, io)],
          [io.say(texts.engine), visibleLine(agent.engine)],
          [io.say(texts.role), visibleLine(agent.role)],
          [io.say({ en: 'toolsets', ja: 'ツールセット' }), agent.toolsets.join(', ')],
          [io.say({ en: 'projects', ja: 'プロジェクト' }), agent.project_ids.map(visibleLine).join('\n')],
          [io.say(texts.created), moment(agent.created_at, io)],
          [io.say({ en: 'system prompt', ja: 'システムプロンプト' }), visible(agent.system_prompt)],
        ],
        io,
      )
    return { json: agent, text: () => `${io.colors.bold(visibleLine(agent.name))} (${agent.agent_id})\n${facts()}` }
  },
})
