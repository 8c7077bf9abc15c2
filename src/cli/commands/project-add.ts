import fs from 'node:fs'
import path from 'node:path'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { type SettingOptions, settingOptions, settingsOf } from '../project-settings.ts'
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
  workspaces: (id: string) => ({
    en: `Each task gets a workspace: a worktree and a branch of its own. To let agents work in the folder itself: toryo project edit ${id} --workspace folder --accept report`,
    ja: `タスクごとにワークスペース (専用のワークツリーとブランチ) を作ります。フォルダーで直接作業させるには: toryo project edit ${id} --workspace folder --accept report`,
  }),
  person: (id: string) => ({
    en: `Reported work waits until a person accepts it. To accept it on the report or on passed checks: toryo project edit ${id} --accept report (or checks)`,
    ja: `報告された作業は、人が承認するまで待ちます。報告またはチェックの合格だけで承認するには: toryo project edit ${id} --accept report (または checks)`,
  }),
}

type Options = SettingOptions & { dir?: string; id?: string; description?: string; asanaUrl?: string }

export default command<[name: string], Options>({
  summary: { en: 'Add a project', ja: 'プロジェクトを追加' },
  order: 1,
  when: {
    en: 'Once for each folder that agents are to work in.',
    ja: 'エージェントに作業させるフォルダーごとに、最初に一度使います。',
  },
  about: {
    en: 'Without --dir the project has no directory, and the Runner never starts agents for it.\nIn a git repository each task gets a workspace (a worktree and a branch), and a person accepts the work; elsewhere agents work in the folder, and their report is enough.',
    ja: '--dir がなければ作業フォルダーなしになり、Runner はそのプロジェクトのエージェントを開始しません。\ngit リポジトリではタスクごとにワークスペース (ワークツリーとブランチ) を作り、作業は人が承認します。それ以外ではフォルダーで作業し、報告だけで承認されます。',
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
    ...settingOptions,
  ],
  examples: [
    ['toryo project add shop --dir ~/src/shop', { en: 'agents work in that folder', ja: 'そのフォルダーで作業する' }],
    ['toryo project add "Web shop" --id shop --dir .', { en: 'with an id of your own', ja: 'ID を自分で決める' }],
    [
      'toryo project add shop --dir . --workspace folder',
      { en: 'no worktrees: agents share the folder', ja: 'ワークツリーを作らず、同じフォルダーで作業する' },
    ],
  ],
  output: 'project.add',
  async run(cx, { dir, id, description, asanaUrl, ...options }, name) {
    const directory = dir === undefined ? null : existingFolder(dir, cx.io.cwd)
    const hub = await cx.connect()
    const facts = { id, name, directory, description, asana_url: asanaUrl }
    const project = await hub.call('project.add', { ...facts, ...settingsOf(options) })
    const added = cx.io.say(texts.added(visibleLine(project.name), project.key))
    // A default that was chosen for the person is shown, with the way to change it.
    const chosen = [
      ...(options.workspace === undefined && project.workspace === 'task' ? [words.workspaces] : []),
      ...(options.accept === undefined && project.accept === 'person' ? [words.person] : []),
    ]
    return { json: project, text: [added, ...chosen.map(text => cx.io.say(text(project.key)))].join('\n') }
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
