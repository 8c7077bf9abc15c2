import type { CheckView } from '#contract/thread.ts'
import { visibleLine } from './escape.ts'
import type { Io } from './io.ts'
import { table } from './table.ts'

/** As a person would type it. */
export function commandLine(command: readonly string[]): string {
  return command.map(part => visibleLine(/^[\w./:=@%+-]+$/.test(part) ? part : JSON.stringify(part))).join(' ')
}

export const checkWords = {
  untrusted: (names: string, project: string, task?: string) => ({
    en: `Not run, since nobody has trusted the command: ${names}. Look at it, then run \`toryo project check trust --project ${project}${task === undefined ? '' : ` --task ${task}`}\`.`,
    ja: `コマンドが許可されていないため実行しません: ${names}。内容を確認し、\`toryo project check trust --project ${project}${task === undefined ? '' : ` --task ${task}`}\` で許可してください。`,
  }),
  none: {
    en: 'The project has no checks. Add one: `toryo project check add test -- npm test`.',
    ja: 'このプロジェクトにはチェックがありません。`toryo project check add test -- npm test` のように追加できます。',
  },
}

export function checkTable(checks: readonly CheckView[], io: Io): string {
  const yes = (value: boolean) => io.say(value ? { en: 'yes', ja: 'はい' } : { en: 'no', ja: 'いいえ' })
  return table(
    checks,
    [
      { title: io.say({ en: 'NAME', ja: '名前' }), value: row => row.name },
      { title: io.say({ en: 'COMMAND', ja: 'コマンド' }), value: row => commandLine(row.command), prose: true },
      { title: io.say({ en: 'REQUIRED', ja: '必須' }), value: row => yes(row.required) },
      { title: io.say({ en: 'MINUTES', ja: '分' }), value: row => String(row.minutes), optional: true },
      {
        title: io.say({ en: 'FROM', ja: '出所' }),
        value: row =>
          io.say(
            row.source === 'operator'
              ? { en: 'operator', ja: 'オペレーター' }
              : { en: 'repository', ja: 'リポジトリー' },
          ),
        optional: true,
      },
      { title: io.say({ en: 'TRUSTED', ja: '許可' }), value: row => yes(row.trusted) },
    ],
    io,
  )
}
