import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = { name?: string; description?: string; asanaUrl?: string; key?: string }

export default command<[project: string], Options>({
  summary: { en: 'Change what is known of a project', ja: 'プロジェクトの名前や説明を変える' },
  order: 4,
  about: {
    en: 'What is left out stays as it is.',
    ja: '指定しなかった項目は変わりません。',
  },
  arguments: [{ name: '<project>', text: argument.project }],
  options: [
    {
      flags: '--name <name>',
      text: { en: 'Another name, unique among all projects', ja: '新しい名前 (プロジェクト間で重複不可)' },
    },
    { flags: '--description <text | @file>', text: option.descriptionOrFile },
    { flags: '--asana-url <url>', text: option.asanaUrl },
    {
      flags: '--key <key>',
      text: {
        en: 'Its short name in handles; changes the handles of all its tasks',
        ja: 'ハンドルに使う短い名前 (すべてのタスクのハンドルが変わります)',
      },
    },
  ],
  examples: [
    [
      'toryo project edit shop --asana-url https://app.asana.com/0/1234/list',
      { en: 'where its work is planned', ja: '計画の場所を記録する' },
    ],
    [
      'toryo project edit shop --key web',
      { en: 'its tasks are web-1, web-2, … now', ja: 'タスクは web-1、web-2 … になる' },
    ],
    ['toryo project edit shop --asana-url ""', { en: 'take it out again', ja: '取り消す' }],
  ],
  async run(cx, options, projectId) {
    const { name, asanaUrl, key } = options
    const description = textOrFile(options.description, cx.io.cwd)
    if (name === undefined && description === undefined && asanaUrl === undefined && key === undefined)
      throw CliError.USAGE({
        text: {
          en: 'Nothing to change: give --name, --description, --asana-url or --key.',
          ja: '変更する内容がありません。--name、--description、--asana-url、--key のいずれかを指定してください。',
        },
      })
    const asana_url = asanaUrl === '' ? null : asanaUrl
    const hub = await cx.connect()
    const project = await hub.call('project.edit', { project_id: projectId, name, description, asana_url, key })
    return { json: project, text: cx.io.say(texts.changed(visibleLine(project.name), project.key)) }
  },
})
