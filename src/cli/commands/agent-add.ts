import type { GivenToolset } from '#contract/toolsets.ts'
import type { Connection } from '../connect.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile, toolsetsIn } from '../options.ts'
import { passkeyText } from '../passkey-text.ts'
import { about, argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { engine: string; id?: string; role?: string; systemPrompt?: string; toolsets?: GivenToolset[] }

export default command<[name: string], Options>({
  about: about.agentAdd,
  arguments: [{ name: '<name>', text: argument.name }],
  options: [
    { flags: '--engine <engine>', text: option.engine, required: true },
    { flags: '--id <id>', text: option.id },
    { flags: '--role <text>', text: option.role },
    { flags: '--system-prompt <text | @file>', text: option.systemPrompt },
    { flags: '--toolsets <a,b>', text: option.agentToolsets, parse: toolsetsIn },
  ],
  examples: [
    ['toryo agent add Ken --engine claude', { en: 'an agent that runs claude', ja: 'claude で動くエージェント' }],
    [
      'toryo agent add Hanako --id hanako --engine codex --role reviewer --system-prompt @reviewer.md',
      { en: 'with a prompt from a file', ja: 'プロンプトはファイルから' },
    ],
    [
      'toryo agent add Taro --engine claude --toolsets crews,tabs',
      { en: 'one that may start others', ja: '他のエージェントを起動できる' },
    ],
  ],
  async run(cx, { engine, id, role, systemPrompt, toolsets }, name) {
    const prompt = textOrFile(systemPrompt, cx.io.cwd)
    const hub = await cx.connect()
    const agent = await hub.call('agent.add', { id, name, engine, role, system_prompt: prompt, toolsets })
    const added = cx.io.say(texts.added(visibleLine(agent.name), agent.agent_id))
    const canStart = await isStartable(hub, agent.ai_type)
    return {
      json: agent,
      text: `${added}\n${passkeyText(agent.passkey, cx.io)}`,
      ...(!canStart && { note: cx.io.say(texts.engineMissing(visibleLine(agent.ai_type))) }),
    }
  },
})

/** By this hub, or by a Runner elsewhere. */
async function isStartable(hub: Connection, engine: string): Promise<boolean> {
  const { engines } = await hub.call('engine.list', {})
  if (engines.some(one => one.engine === engine && one.program !== null && one.headless)) return true
  const { runners } = await hub.call('runner.list', {})
  return runners.some(runner => runner.revoked_at === null && runner.engines.includes(engine))
}
