import fs from 'node:fs'
import path from 'node:path'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { about, argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

export default command<[name: string], { dir?: string; id?: string; description?: string; asanaUrl?: string }>({
  about: about.projectAdd,
  arguments: [{ name: '<name>', text: argument.name }],
  options: [
    { flags: '--dir <path>', text: option.directory, takes: 'folder' },
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
    return { json: project, text: cx.io.say(texts.added(visibleLine(project.name), project.project_id)) }
  },
})

function existingFolder(given: string, cwd: string): string {
  const directory = path.resolve(cwd, given)
  let stats: fs.Stats | undefined
  try {
    stats = fs.statSync(directory, { throwIfNoEntry: false })
  } catch (cause) {
    throw CliError.USAGE({ text: texts.directoryUnreadable(directory, (cause as Error).message) }, cause)
  }
  if (!stats) throw CliError.USAGE({ text: texts.directoryMissing(directory) })
  if (!stats.isDirectory()) throw CliError.USAGE({ text: texts.directoryIsFile(directory) })
  return directory
}
