import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { engineMissing, isStartable } from '../startable.ts'
import { argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { name?: string; engine?: string; role?: string; systemPrompt?: string }

export default command<[agent: string], Options>({
  summary: { en: 'Change what was entered for an agent', ja: 'エージェントの内容を変える' },
  order: 4,
  when: {
    en: "When an agent's name, engine, role or instructions change.",
    ja: 'エージェントの名前・エンジン・ロール・指示を変えるときに。',
  },
  about: {
    en: 'What is left out stays as it is. Its passkey stays valid, and an instance that runs goes on as it was started: the next start takes the changes.',
    ja: '指定しなかった項目は変わりません。パスキーは有効なままです。実行中のインスタンスは開始時の設定で動き続け、変更は次回の開始から使われます。',
  },
  arguments: [{ name: '<agent>', text: argument.agent }],
  options: [
    {
      flags: '--name <name>',
      text: { en: 'Another name, unique among all agents', ja: '新しい名前 (エージェント間で重複不可)' },
    },
    { flags: '--engine <engine>', text: option.engine },
    { flags: '--role <text>', text: { en: 'What it is good for, in a few words', ja: 'ロール (短い言葉で)' } },
    {
      flags: '--system-prompt <text | @file>',
      text: { en: 'Its system prompt: text, or @file', ja: 'システムプロンプト: 文章または @ファイル' },
    },
  ],
  examples: [
    ['toryo agent edit Ken --engine codex', { en: 'started with codex from now on', ja: '今後は codex で開始' }],
    ['toryo agent edit Ken --system-prompt @ken.md', { en: 'instructions from a file', ja: '指示をファイルから' }],
  ],
  output: 'agent.edit',
  async run(cx, options, agentId) {
    if (Object.keys(options).length === 0) throw CliError.USAGE({ text: NOTHING })
    const { name, engine, role, systemPrompt } = options
    const system_prompt = textOrFile(systemPrompt, cx.io.cwd)
    const hub = await cx.connect()
    const agent = await hub.call('agent.edit', { agent_id: agentId, name, engine, role, system_prompt })
    const canStart = engine === undefined || (await isStartable(hub, agent.engine))
    return {
      json: agent,
      text: cx.io.say(texts.changed(visibleLine(agent.name), agent.agent_id)),
      ...(!canStart && { note: cx.io.say(engineMissing(visibleLine(agent.engine))) }),
    }
  },
})

const NOTHING = {
  en: 'Nothing to change: give --name, --engine, --role or --system-prompt.',
  ja: '変更する内容がありません。--name、--engine、--role、--system-prompt のいずれかを指定してください。',
}
