import type { Text } from '#contract/errors.ts'
import type { CheckView } from '#contract/thread.ts'
import { commandLine } from '../check-text.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { projectOption } from '../memory-options.ts'
import { somewhere } from '../options.ts'
import { argument } from '../texts-help.ts'

type Options = { optional?: boolean; required?: boolean; minutes?: number; project?: string }

const nothing = {
  en: 'Say what to change: --required, --optional, --minutes, or another command after --.',
  ja: '変更内容を指定してください: --required、--optional、--minutes、または -- の後に別のコマンド。',
}

export default command<[name: string, command: string], Options>({
  summary: { en: 'Change a check', ja: 'チェックを変更' },
  order: 3,
  when: {
    en: 'When a check should run another command, take longer, or no longer be required.',
    ja: 'チェックのコマンド・制限時間・必須かどうかを変えるときに。',
  },
  about: {
    en: 'What is left out stays as it is. Work that is still being checked is checked again.',
    ja: '指定しなかった項目は変わりません。チェック中の作業は再びチェックします。',
  },
  arguments: [
    { name: '<name>', text: argument.name },
    {
      name: '[command...]',
      text: { en: 'Another program and its arguments, after --', ja: '別のプログラムと引数 (-- の後に指定)' },
    },
  ],
  options: [
    { flags: '--required', text: { en: 'Reported work must pass it', ja: '必須にする' } },
    {
      flags: '--optional',
      text: { en: 'Show its result, and do not require it', ja: '結果を示すだけで、必須にしない' },
    },
    { flags: '--minutes <number>', text: { en: 'How long it may take', ja: '制限時間 (分)' }, parse: Number },
    projectOption,
  ],
  examples: [
    ['toryo project check edit test --minutes 20', { en: 'it takes longer', ja: '制限時間を延ばす' }],
    ['toryo project check edit test -- npm run test:all', { en: 'another command', ja: 'コマンドを変える' }],
  ],
  output: 'project.check.edit',
  async run(cx, { optional, required, minutes, project }, name, line) {
    // Commander gives a list for an argument that may be repeated.
    const given = line as unknown as string[]
    const isSaid = optional !== undefined || required !== undefined
    if (!isSaid && minutes === undefined && given.length === 0) throw CliError.USAGE({ text: nothing })
    const hub = await cx.connect()
    const changed = await hub.call('project.check.edit', {
      ...{ ...somewhere(project, cx.io.cwd), name, minutes },
      ...(isSaid && { optional: required !== true }),
      ...(given.length > 0 && { command: given }),
    })
    return { json: changed, text: cx.io.say(done(changed)) }
  },
})

function done({ name, command, required, minutes }: CheckView): Text {
  const line = `${name}: ${commandLine(command)}`
  return {
    en: `Changed check ${line} (${required ? 'required' : 'optional'}, ${minutes} min)`,
    ja: `チェックを変更しました: ${line} (${required ? '必須' : '任意'}、${minutes} 分)`,
  }
}
