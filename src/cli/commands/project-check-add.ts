import { commandLine } from '../check-text.ts'
import { command } from '../define.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'
import { argument } from '../texts-help.ts'

type Options = { optional?: boolean; minutes?: number; project?: string }

const words = {
  added: (name: string, line: string) => ({
    en: `Added check ${name}: ${line}`,
    ja: `チェック ${name} を追加しました: ${line}`,
  }),
}

export default command<[name: string, command: string], Options>({
  summary: { en: 'Add a command that reported work must pass', ja: '報告された作業が通るべきコマンドを追加' },
  order: 1,
  about: {
    en: 'It runs in the workspace of a task after its report, and again on the merged tree. Exit code 0 passes.',
    ja: '報告の後にタスクのワークスペースで実行し、マージ後のツリーでも実行します。終了コード 0 で合格です。',
  },
  arguments: [
    { name: '<name>', text: argument.name },
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
    [
      'toryo project check add lint --optional --minutes 2 --project shop -- npm run lint',
      { en: 'shown, but not required', ja: '必須ではないチェック' },
    ],
  ],
  async run(cx, { optional, minutes, project }, name, line) {
    const hub = await cx.connect()
    // Commander gives a list for an argument that may be repeated.
    const given = line as unknown as string[]
    const check = { name, command: given, optional, minutes }
    const added = await hub.call('project.check.add', { ...somewhere(project, cx.io.cwd), ...check })
    return { json: added, text: cx.io.say(words.added(added.name, commandLine(added.command))) }
  },
})
