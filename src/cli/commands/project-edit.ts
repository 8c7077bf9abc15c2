import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { about, argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { name?: string; description?: string; asanaUrl?: string }

export default command<[project: string], Options>({
  about: about.projectEdit,
  arguments: [{ name: '<project>', text: argument.project }],
  options: [
    { flags: '--name <name>', text: option.newName },
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    { flags: '--asana-url <url>', text: option.asanaUrl },
  ],
  examples: [
    [
      'toryo project edit shop --asana-url https://app.asana.com/0/1234/list',
      { en: 'where its work is planned', ja: '計画の場所を記録する' },
    ],
    ['toryo project edit shop --asana-url ""', { en: 'take it out again', ja: '取り消す' }],
  ],
  async run(cx, options, projectId) {
    const { name, asanaUrl } = options
    const description = textOrFile(options.description, cx.io.cwd)
    if (name === undefined && description === undefined && asanaUrl === undefined)
      throw CliError.USAGE({ text: texts.nothingToEdit })
    const asana_url = asanaUrl === '' ? null : asanaUrl
    const hub = await cx.connect()
    const project = await hub.call('project.edit', { project_id: projectId, name, description, asana_url })
    return { json: project, text: cx.io.say(texts.changed(visibleLine(project.name), project.project_id)) }
  },
})
