import { commandLine } from '../check-text.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'

type Options = { optional?: boolean; minutes?: number; project?: string }

const words = {
  added: (name: string, line: string) => ({
    en: `Added check ${name}: ${line}`,
    ja: `チェック ${name} を追加しました: ${line}`,
  }),
  names: {
    en: 'Give the name of the check, or the project and the name, then -- and the command: toryo project check add shop test -- npm test',
    ja: 'チェック名 (またはプロジェクトとチェック名) の後に -- とコマンドを指定してください: toryo project check add shop test -- npm test',
  },
}

export default command<[name: string, command: string], Options>({
  summary: { en: 'Add a command that reported work must pass', ja: '報告された作業が通るべきコマンドを追加' },
  order: 1,
  when: {
    en: 'When reported work must pass a command, such as the tests.',
    ja: '報告された作業にテストなどの合格を求めるときに。',
  },
  about: {
    en: 'It runs in the workspace of a task after its report, and again on the merged tree. Exit code 0 passes.',
    ja: '報告の後にタスクのワークスペースで実行し、マージ後のツリーでも実行します。終了コード 0 で合格です。',
  },
  arguments: [
    {
      name: '<name>',
      text: { en: 'Its name; the project may stand before it', ja: 'チェック名。前にプロジェクトを指定できます' },
    },
    {
      name: '<command...>',
      text: { en: 'The program and its arguments, after --', ja: 'プログラムと引数 (-- の後に指定)' },
    },
  ],
  options: [
    {
      flags: '--optional',
      text: { en: 'Show its result, and do not require it', ja: '結果を示すだけで、必須にしない' },
    },
    {
      flags: '--minutes <number>',
      text: { en: 'How long it may take (default: 10)', ja: '制限時間 (既定: 10 分)' },
      parse: Number,
    },
    projectOption,
  ],
  examples: [
    [
      'toryo project check add test -- npm test',
      { en: 'for the project of this folder', ja: 'このフォルダーのプロジェクト' },
    ],
    ['toryo project check add shop test -- npm test', { en: 'for this project', ja: 'プロジェクトを指定' }],
    [
      'toryo project check add lint --optional --minutes 2 --project shop -- npm run lint',
      { en: 'shown, but not required', ja: '必須ではないチェック' },
    ],
  ],
  output: 'project.check.add',
  async run(cx, { optional, minutes, project }, name, line) {
    // Commander gives a list for an argument that may be repeated.
    const { command: given, ...named } = wordsOf([name, ...(line as unknown as string[])], cx.afterDashes, project)
    const hub = await cx.connect()
    const check = { name: named.name, command: given, optional, minutes }
    const added = await hub.call('project.check.add', { ...somewhere(named.project, cx.io.cwd), ...check })
    return { json: added, text: cx.io.say(words.added(added.name, commandLine(added.command))) }
  },
})

type Named = { project: string | undefined; name: string; command: string[] }

/** `--` parts the names from the command: before it may stand the project, too, as with the other commands on projects. */
function wordsOf(all: readonly string[], after: readonly string[] | undefined, project: string | undefined): Named {
  const before = after === undefined ? all.slice(0, 1) : all.slice(0, all.length - after.length)
  const command = all.slice(before.length)
  const [first = '', second, ...more] = before
  if (second === undefined) return { project, name: first, command }
  if (more.length > 0 || project !== undefined || command.length === 0) throw CliError.USAGE({ text: words.names })
  return { project: first, name: second, command }
}
