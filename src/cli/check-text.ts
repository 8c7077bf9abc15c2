import { createHash } from 'node:crypto'
import type { CheckView } from '#contract/thread.ts'
import { visibleLine } from './escape.ts'
import type { Io } from './io.ts'
import { table } from './table.ts'

/** As a person would type it. */
export function commandLine(command: readonly string[]): string {
  return command.map(part => visibleLine(/^[\w./:=@%+-]+$/.test(part) ? part : JSON.stringify(part))).join(' ')
}

/** Names what a person was shown, in a word that can be typed: quoted commands could run in the shell that they are pasted into. */
export function sightOf(checks: readonly CheckView[]): string {
  const shown = checks.map(({ name, command, required, minutes }) => [name, command, required, minutes])
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16)
}

export const checkWords = {
  notYet: (line: string) => ({
    en: `Nothing has been trusted yet. These commands will run on this machine with your rights; to allow exactly them: \`${line}\`.`,
    ja: `まだ何も許可していません。これらのコマンドは、このマシンであなたの権限で実行されます。この内容だけを許可するには \`${line}\` を実行してください。`,
  }),
  changed: (line: string) => ({
    en: `The checks are not what was shown to you, so nothing was trusted. These are the ones now; to allow exactly them: \`${line}\`.`,
    ja: `チェックが表示された内容から変わっているため、何も許可していません。現在の内容は上のとおりです。この内容だけを許可するには \`${line}\` を実行してください。`,
  }),
  untrusted: (names: string, project: string, task?: string) => ({
    en: `Not run, since its command is not trusted: ${names}. Look at it, then run \`toryo project check trust --project ${project}${task === undefined ? '' : ` --task ${task}`}\`.`,
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
            row.source === 'operator' ? { en: 'operator', ja: 'オペレーター' } : { en: 'repository', ja: 'リポジトリ' },
          ),
        optional: true,
      },
      { title: io.say({ en: 'TRUSTED', ja: '許可' }), value: row => yes(row.trusted) },
    ],
    io,
  )
}
