import path from 'node:path'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { somewhere } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { tabTexts } from '../texts-tab.ts'

export default command<[project?: string], { dir?: string; runner?: string }>({
  about: about.projectTrust,
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
  options: [
    { flags: '--dir <path>', text: option.trustFrom, takes: 'folder' },
    { flags: '--runner <name>', text: option.trustRunner },
  ],
  examples: [
    [
      'toryo project trust',
      { en: 'the project of this folder, as it is now', ja: 'このフォルダーのプロジェクトの現在の設定' },
    ],
  ],
  async run(cx, { dir, runner }, project) {
    const { io } = cx
    const hub = await cx.connect()
    const from = dir === undefined ? undefined : path.resolve(io.cwd, dir)
    const trusted = await hub.call('project.trust', { ...somewhere(project, io.cwd), from, runner })
    const { files, directory } = trusted
    if (files.length === 0)
      return { json: trusted, text: '', note: io.say(tabTexts.nothingToTrust(visibleLine(directory))) }
    const names = files.map(file => `  ${visibleLine(file)}`).join('\n')
    return { json: trusted, text: `${io.say(tabTexts.trusted(visibleLine(directory)))}\n${names}` }
  },
})
