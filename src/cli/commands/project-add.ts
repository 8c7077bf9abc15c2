import fs from 'node:fs'
import path from 'node:path'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

const words = {
  directoryMissing: (directory: string) => ({
    en: `--dir ${directory} does not exist; make it first.`,
    ja: `--dir ${directory} がありません。先に作成してください。`,
  }),
  directoryIsFile: (directory: string) => ({
    en: `--dir ${directory} is not a folder.`,
    ja: `--dir ${directory} はフォルダーではありません。`,
  }),
  directoryUnreadable: (directory: string, reason: string) => ({
    en: `--dir ${directory} cannot be used: ${reason}.`,
    ja: `--dir ${directory} を使えません: ${reason}`,
  }),
}

export default command<[name: string], { dir?: string; id?: string; description?: string; asanaUrl?: string }>({
  summary: { en: 'Add a project', ja: 'プロジェクトを追加' },
  order: 1,
  about: {
    en: 'Without --dir the project has no directory, and the Runner never starts agents for it.',
    ja: '--dir がなければ作業フォルダーなしになり、Runner はそのプロジェクトのエージェントを開始しません。',
  },
  arguments: [{ name: '<name>', text: argument.name }],
  options: [
    {
      flags: '--dir <path>',
      text: { en: 'Where its agents work; a folder that exists', ja: '作業フォルダー (存在するもの)' },
      takes: 'folder',
    },
    { flags: '--id <id>', text: option.id },
    { flags: '--description <text>', text: option.description },
    { flags: '--asana-url <url>', text: option.asanaUrl },
  ],
  examples: [
    ['toryo project add shop --dir ~/src/shop', { en: 'agents work in that folder', ja: 'そのフォルダーで作業する' }],
    ['toryo project add "Web shop" --id shop --dir .', { en: 'with an id of your own', ja: 'ID を自分で決める' }],
  ],
  async run(cx, { dir, id, description, asanaUrl }, name) {
    const directory = dir === undefined ? null : existingFolder(dir, cx.io.cwd)
    const hub = await cx.connect()
    const project = await hub.call('project.add', { id, name, directory, description, asana_url: asanaUrl })
    return { json: project, text: cx.io.say(texts.added(visibleLine(project.name), project.key)) }
  },
})

function existingFolder(given: string, cwd: string): string {
  const directory = path.resolve(cwd, given)
  let stats: fs.Stats | undefined
  try {
    stats = fs.statSync(directory, { throwIfNoEntry: false })
  } catch (cause) {
    throw CliError.USAGE({ text: words.directoryUnreadable(directory, (cause as Error).message) }, cause)
  }
  if (!stats) throw CliError.USAGE({ text: words.directoryMissing(directory) })
  if (!stats.isDirectory()) throw CliError.USAGE({ text: words.directoryIsFile(directory) })
  return directory
}
