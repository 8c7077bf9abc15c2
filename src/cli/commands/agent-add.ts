import type { GivenToolset } from '#contract/toolsets.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile, toolsetsIn } from '../options.ts'
import { passkeyText } from '../passkey-text.ts'
import { engineMissing, isStartable, refuseTypo } from '../startable.ts'
import { about, argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = {
  engine: string
  id?: string
  role?: string
  systemPrompt?: string
  toolsets?: GivenToolset[]
  plans?: boolean
}

export default command<[name: string], Options>({
  summary: { en: 'Register an agent; prints its passkey once', ja: 'エージェントを登録 (パスキーは一度だけ表示)' },
  order: 1,
  when: { en: 'When you want another agent to give tasks to.', ja: 'タスクを任せるエージェントを増やすときに。' },
  about: about.agentAdd,
  arguments: [{ name: '<name>', text: argument.name }],
  options: [
    { flags: '--engine <engine>', text: option.engine, required: true },
    { flags: '--id <id>', text: option.id },
    { flags: '--role <text>', text: { en: 'What it is good for, in a few words', ja: 'ロール (短い言葉で)' } },
    {
      flags: '--system-prompt <text | @file>',
      text: { en: 'Its system prompt: text, or @file', ja: 'システムプロンプト: 文章または @ファイル' },
    },
    {
      flags: '--toolsets <a,b>',
      text: {
        en: 'Toolsets besides what its own work needs: agent, projects, planning, legacy, crews, phases, memory, tabs',
        ja: '自分の作業に必要なもの以外のツールセット: agent、projects、planning、legacy、crews、phases、memory、tabs',
      },
      parse: toolsetsIn,
    },
    {
      flags: '--plans',
      text: {
        en: 'It may add tasks to its project and put them in order (toolset planning)',
        ja: 'プロジェクトにタスクを追加し、順序を決められる (ツールセット planning)',
      },
    },
  ],
  examples: [
    ['toryo agent add Ken --engine claude', { en: 'an agent that runs claude', ja: 'claude で動くエージェント' }],
    [
      'toryo agent add Hanako --id hanako --engine codex --role reviewer --system-prompt @reviewer.md',
      { en: 'with a prompt from a file', ja: 'プロンプトはファイルから' },
    ],
    [
      'toryo agent add Lead --engine claude --plans',
      { en: 'one that splits work into tasks', ja: '作業をタスクに分ける' },
    ],
    [
      'toryo agent add Taro --engine claude --toolsets crews,tabs',
      { en: 'one that may start others', ja: '他のエージェントを起動できる' },
    ],
  ],
  output: 'agent.add',
  async run(cx, { engine, id, role, systemPrompt, plans, toolsets: given }, name) {
    const toolsets: GivenToolset[] | undefined = plans ? [...new Set([...(given ?? []), 'planning' as const])] : given
    const prompt = textOrFile(systemPrompt, cx.io.cwd)
    const hub = await cx.connect()
    await refuseTypo(hub, engine)
    const agent = await hub.call('agent.add', { id, name, engine, role, system_prompt: prompt, toolsets })
    const added = cx.io.say(texts.added(visibleLine(agent.name), agent.agent_id))
    const canStart = await isStartable(hub, agent.engine)
    return {
      json: agent,
      text: `${added}\n${passkeyText(agent.passkey, cx.io)}`,
      ...(!canStart && { note: cx.io.say(engineMissing(visibleLine(agent.engine))) }),
    }
  },
})
