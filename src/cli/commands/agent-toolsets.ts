import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { toolsetsIn } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  toolsetsGiven: (agent: string, toolsets: string) =>
    toolsets === ''
      ? {
          en: `${agent} has only the tools of its own work, from its next start on.`,
          ja: `${agent} が使えるのは、次の起動から自分の作業に必要なツールだけです。`,
        }
      : {
          en: `${agent} has ${toolsets} besides the tools of its own work, from its next start on.`,
          ja: `${agent} は次の起動から、自分の作業に必要なツールに加えて ${toolsets} を使えます。`,
        },
}

export default command<[agent: string, toolsets: string]>({
  summary: { en: 'Give an agent more tools, or fewer', ja: 'エージェントに渡すツールを変える' },
  order: 6,
  when: {
    en: 'When an agent needs tools beyond those of its own task.',
    ja: 'エージェントに担当タスク以外のツールも使わせるときに。',
  },
  about: {
    en: 'Every agent that is started for a task has the tools of that task, of handoffs, memory and phases. These come on top, from its next start on: projects (projects and tasks), planning (add and order tasks), crews (start other agents), tabs (agents in terminals), memory, phases, agent (the tools of its own work), legacy (three older tools).',
    ja: 'タスクのために起動されたエージェントは、タスク、引き継ぎ、メモリ、フェーズのツールを必ず使えます。ここで指定したものが、次の起動から加わります: projects (プロジェクトとタスク)、planning (タスクの追加と順序)、crews (ほかのエージェントの起動)、tabs (ターミナルのエージェント)、memory (メモリ)、phases (フェーズ)、agent (自分の作業)、legacy (旧ツール 3 つ)。',
  },
  arguments: [
    { name: '<agent>', text: argument.agent },
    {
      name: '<toolsets>',
      text: {
        en: 'agent, projects, planning, legacy, crews, phases, memory, tabs, joined by commas; or `none`',
        ja: 'agent、projects、planning、legacy、crews、phases、memory、tabs をカンマ区切りで。なしは `none`',
      },
    },
  ],
  examples: [
    ['toryo agent toolsets hanako crews,tabs', { en: 'it may start others', ja: '他のエージェントを起動できる' }],
    ['toryo agent toolsets hanako none', { en: 'only what its own work needs', ja: '自分の作業に必要なものだけ' }],
  ],
  output: 'agent.toolsets',
  async run(cx, _, agentId, given) {
    const toolsets = given === 'none' ? [] : toolsetsIn(given)
    const hub = await cx.connect()
    const agent = await hub.call('agent.toolsets', { agent_id: agentId, toolsets })
    return { json: agent, text: cx.io.say(words.toolsetsGiven(visibleLine(agent.name), agent.toolsets.join(', '))) }
  },
})
