import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { textOrFile } from '../options.ts'
import { needProject } from '../project-here.ts'
import { type SettingOptions, settingOptions, settingsOf } from '../project-settings.ts'
import { argument, option } from '../texts-help.ts'
import { texts } from '../texts.ts'

type Options = SettingOptions & { name?: string; description?: string; asanaUrl?: string; key?: string }

const unchecked = (key: string) => ({
  en: `It has no required check, so all reported work waits for a person. Add one: \`toryo project check add test --project ${key} -- npm test\`.`,
  ja: `必須のチェックがないため、報告された作業はすべて人の承認を待ちます。追加するには: \`toryo project check add test --project ${key} -- npm test\``,
})

export default command<[project?: string], Options>({
  summary: { en: 'Change what is known of a project', ja: 'プロジェクトの名前や説明を変える' },
  order: 4,
  when: {
    en: "When a project's name, key, base or review policy changes.",
    ja: 'プロジェクトの名前・キー・ベース・承認方法を変えるときに。',
  },
  about: {
    en: 'What is left out stays as it is.',
    ja: '指定しなかった項目は変わりません。',
  },
  arguments: [{ name: '[project]', text: argument.projectOrHere }],
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
    ...settingOptions,
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
    [
      'toryo project edit shop --workspace task --accept checks',
      {
        en: 'a worktree for each task, accepted when its checks pass',
        ja: 'タスクごとのワークツリー、チェック合格で承認',
      },
    ],
  ],
  output: 'project.edit',
  async run(cx, options, named) {
    const { name, asanaUrl, key, description: given, ...settings } = options
    const description = textOrFile(given, cx.io.cwd)
    const asana_url = asanaUrl === '' ? null : asanaUrl
    const changes = { name, description, asana_url, key, ...settingsOf(settings) }
    if (Object.values(changes).every(change => change === undefined))
      throw CliError.USAGE({
        text: {
          en: 'Nothing to change: give --name, --description, --asana-url, --key, --workspace, --base, --accept, --reviewer or --merge.',
          ja: '変更する内容がありません。--name、--description、--asana-url、--key、--workspace、--base、--accept、--reviewer、--merge のいずれかを指定してください。',
        },
      })
    const hub = await cx.connect()
    const project = await hub.call('project.edit', { project_id: await needProject(cx, hub, named), ...changes })
    const said = cx.io.say(texts.changed(visibleLine(project.name), project.key))
    const isUnchecked =
      settings.accept === 'checks' &&
      !(await hub.call('project.check.list', { project_id: project.project_id })).checks.some(
        check => check.required && check.trusted,
      )
    return { json: project, text: isUnchecked ? `${said}\n${cx.io.say(unchecked(project.key))}` : said }
  },
})
