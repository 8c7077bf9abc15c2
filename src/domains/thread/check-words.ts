// The sentences that the hub adds to the output of a check. Evidence keeps them in English, behind what the check itself wrote; for
// a person who reads Japanese the last line is translated again.
import type { Lang, Text } from '#contract/errors.ts'
import type { Evidence } from './model.ts'

export const checkWords = {
  clean: 'It ran in a clean checkout: there was only what is in the tree and what a new worktree is prepared with.',
  changedBefore:
    'The files changed after the report, before this check could run. Report again when nothing writes to them any more.',
  hubEnded: 'The hub ended while it ran.',
  notFound: (program: string) => `${program} was not found`,
  tooLong: (minutes: number) => `It took longer than ${minutes} minutes.`,
  changed: (names: string, more: number) =>
    `Files of the tree changed while it ran, so its result proves nothing: ${names}${more > 0 ? `, and ${more} more` : ''}. If the check writes them, remove them and let git ignore them, or commit them.`,
}

/** Why a merge waits: its commands came from another machine. */
export function unseenChecks(project: string, checks: readonly { name: string; command: readonly string[] }[]): Text {
  const all = checks.map(({ name, command }) => `${name}: ${JSON.stringify(command)}`).join(', ')
  const line = `toryo project check trust --project ${project}`
  return {
    en: `Waits for a person: these checks were added on another machine, and no person has looked at them on this one (${all}). Look at them here with \`${line}\`.`,
    ja: `人の確認待ちです。別のマシンで追加されたチェックのコマンドを、このマシンでまだ誰も確認していません (${all})。ここで \`${line}\` を実行して確認してください。`,
  }
}

type Outcome = NonNullable<Evidence['outcome']>

/** By outcome, so that a line of a check's own that reads the same stays as it is. */
const JAPANESE: Partial<Record<Outcome, readonly (readonly [RegExp, string])[]>> = {
  stopped: [[/^The hub ended while it ran\.$/, '実行中にハブが終了しました。']],
  failed: [
    [
      /^It ran in a clean checkout: .*$/,
      'クリーンなチェックアウトで実行しました。存在したのは、ツリー内のファイルと、ワークツリーの準備で用意されるものだけです。',
    ],
  ],
  not_started: [[/^(.+) was not found$/, '$1 が見つかりません']],
  timed_out: [[/^It took longer than ([\d.]+) minutes\.$/, '$1 分以内に終わりませんでした。']],
  stale: [
    [
      /^The files changed after the report, before this check could run\. .*$/,
      '報告の後、このチェックの前にファイルが変わりました。書き込みが終わってからもう一度報告してください。',
    ],
    [
      /^Files of the tree changed while it ran, so its result proves nothing: (.*?), and (\d+) more\. If the check .*$/,
      '実行中にファイルが変わったため、結果は無効です: $1 ほか $2 件。チェックが書き込むファイルなら、削除して .gitignore に加えるか、コミットしてください。',
    ],
    [
      /^Files of the tree changed while it ran, so its result proves nothing: (.*)\. If the check .*$/,
      '実行中にファイルが変わったため、結果は無効です: $1。チェックが書き込むファイルなら、削除して .gitignore に加えるか、コミットしてください。',
    ],
  ],
}

export function tailIn(lang: Lang, { outcome, tail }: Pick<Evidence, 'outcome' | 'tail'>): string {
  if (lang !== 'ja' || outcome === null) return tail
  const lines = tail.split('\n')
  const last = lines.at(-1) ?? ''
  const [pattern, words] = JAPANESE[outcome]?.find(([one]) => one.test(last)) ?? []
  return pattern && words ? [...lines.slice(0, -1), last.replace(pattern, words)].join('\n') : tail
}
