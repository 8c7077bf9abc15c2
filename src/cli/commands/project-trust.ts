import path from 'node:path'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { somewhere } from '../options.ts'
import { argument } from '../texts-help.ts'

const words = {
  trusted: (directory: string) => ({
    en: `Agents may now follow this configuration of ${directory}:`,
    ja: `${directory} の次の設定を信頼しました:`,
  }),
  nothingToTrust: (directory: string) => ({
    en: `${directory} brings no agent configuration of its own; nothing needs to be trusted.`,
    ja: `${directory} にはエージェント設定がないため、信頼は不要です。`,
  }),
}

export default command<[project?: string], { dir?: string; runner?: string }>({
  summary: { en: 'Trust the agent configuration of a folder', ja: 'フォルダーのエージェント設定を信頼する' },
  order: 9,
  when: {
    en: 'When a start was refused because of hooks or settings in a folder.',
    ja: 'フォルダーの設定が理由で起動を拒否されたときに使います。',
  },
  about: {
    en: 'A folder may tell agents what to run (.claude, .mcp.json, .env, .codex, .gemini, .github/hooks …). No tab, crew or Runner starts an agent there before a person has looked at it. `toryo project add` trusts what is there at that time; after a change this command does.',
    ja: 'フォルダーはエージェントに実行させる設定 (.claude、.mcp.json、.env、.codex、.gemini、.github/hooks など) を含むことがあります。人が確認するまで、タブ、クルー、Runner のいずれもそこではエージェントを起動しません。`toryo project add` はその時点の内容を信頼します。変更後はこのコマンドで信頼し直してください。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [
    {
      flags: '--dir <path>',
      text: {
        en: 'Trust what this folder has, such as a worktree of the project',
        ja: 'このフォルダー (プロジェクトのワークツリーなど) の内容を信頼する',
      },
      takes: 'folder',
    },
    {
      flags: '--runner <name>',
      text: {
        en: 'Trust what this Runner saw on its own machine when it refused to start',
        ja: 'この Runner が開始を見送ったときに、そのマシンで見た内容を信頼する',
      },
    },
  ],
  examples: [
    [
      'toryo project trust',
      { en: 'the project of this folder, as it is now', ja: 'このフォルダーのプロジェクトの現在の設定' },
    ],
  ],
  output: 'project.trust',
  async run(cx, { dir, runner }, project) {
    const { io } = cx
    const hub = await cx.connect()
    const from = dir === undefined ? undefined : path.resolve(io.cwd, dir)
    const trusted = await hub.call('project.trust', { ...somewhere(project, io.cwd), from, runner })
    const { files, directory } = trusted
    if (files.length === 0)
      return { json: trusted, text: '', note: io.say(words.nothingToTrust(visibleLine(directory))) }
    const names = files.map(file => `  ${visibleLine(file)}`).join('\n')
    return { json: trusted, text: `${io.say(words.trusted(visibleLine(directory)))}\n${names}` }
  },
})
